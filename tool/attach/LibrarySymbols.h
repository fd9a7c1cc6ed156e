//===-- LibrarySymbols.h - Functions of a library in another process ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_ATTACH_LIBRARYSYMBOLS_H
#define TENSORLEAK_TOOL_ATTACH_LIBRARYSYMBOLS_H

#include "attach/RunningProcess.h"

#include <map>

namespace tensorleak {

/// By the file on the disk, which must be the one that the process has loaded.
class LibrarySymbols {
public:
  /// \throws EntryError
  explicit LibrarySymbols(const MappedImage &Image);
  /// Where that function is in the process; 0 if the library has none.
  uint64_t find(const std::string &Name) const;
  /// Where some instruction syscall is; 0 if there is none.
  uint64_t syscallInstruction() const { return SyscallAt; }

private:
  std::map<std::string, uint64_t> Functions;
  uint64_t SyscallAt = 0;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_ATTACH_LIBRARYSYMBOLS_H
