//===-- Flags.h - Turns other compilers' commands into Clang's -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. Compile databases are written for gcc and nvcc; their flags
// that Clang's driver does not know are errors to it and must be dropped or
// translated before it sees them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_FLAGS_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_FLAGS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tensorleak {

using CommandLine = std::vector<std::string>;

/// One compile command. Paths are absolute.
struct SourceUnit {
  std::string File;
  std::string Directory;
  CommandLine Command;
  /// As `--cuda-path` says: the folder of a CUDA toolkit, "none" for no toolkit,
  /// "" to search for one.
  std::string CudaPath = "";
  /// The compile database it comes from, "" where the flags were given.
  std::string Database = "";
  /// A file of C is read as one of C++, where our declarations of what it lacks are in.
  bool ReadAsCxx = false;
};

/// The command for Clang's driver that parses the unit as its own command would
/// compile it: same language, macros and include path; no output, no warnings.
CommandLine clangCommand(const SourceUnit &TheUnit);

/// The folder of Clang's own headers.
std::string resourceDirectory();

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_FLAGS_H
