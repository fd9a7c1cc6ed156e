//===-- TraceFile.h - The file that a trace is mapped from -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program may close any descriptor and open its own file under the number that
// was ours, so each use asks first whether the descriptor still is our file.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_TRACEFILE_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_TRACEFILE_H

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace tensorleak::probe {

class TraceFile {
public:
  /// False if there is such a file already, or it cannot be made.
  bool create(const std::string &Path);
  /// Makes the file this long, on blocks that are there: a mapping of a hole on a full disk
  /// would end the program with SIGBUS, and growing past the limit on the size of files with
  /// SIGXFSZ. False where that is not possible.
  bool grow(size_t Bytes);
  bool shrink(size_t Bytes);
  void close();
  /// Null where it cannot be mapped.
  void *map(size_t Bytes, size_t Offset);

private:
  int descriptor();
  bool isOurs(int Candidate) const;

  std::string Path;
  dev_t Device = 0;
  ino_t Inode = 0;
  int Kept = -1;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_TRACEFILE_H
