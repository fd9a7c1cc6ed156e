//===-- Launch.h - Runs the program with the probe inside -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program gets our stdin, stdout and stderr, and every signal that we get.
// It must not be able to tell that it is being watched.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_LAUNCH_H
#define TENSORLEAK_TOOL_LAUNCH_H

#include <string>
#include <utility>
#include <vector>

namespace tensorleak {

struct Launch {
  std::string Program;                ///< as execve wants it
  std::vector<std::string> Arguments; ///< argv, the name included
  std::string Preload;                ///< the probe; "" for a program that is ours
  std::vector<std::pair<std::string, std::string>> Environment; ///< set for the program only
  bool Quiet = false;                                           ///< without input and output
};

/// How the program ended.
struct Ending {
  int ExitCode = 0; ///< its own, or 128 + the signal as a shell says it
  int Signal = 0;   ///< 0 if it exited
};

/// Runs the program to its end. \throws UsageError if it could not be started.
Ending launch(const Launch &L);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_LAUNCH_H
