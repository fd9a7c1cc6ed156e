//===-- Target.h - The program that the user wants to run -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a program is run: is it there, can it be executed, can a library be
// preloaded into it? A wrong answer found here costs the user nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_TARGET_H
#define TENSORLEAK_TOOL_TARGET_H

#include <string>
#include <vector>

namespace tensorleak {

/// The program's path, searched for in PATH as execvp does.
/// \throws UsageError if there is no such program, or it cannot be executed,
/// or there is no room for the probe in it (ProgramFile.h).
std::string resolveProgram(const std::string &Name);

/// The program and the shared libraries that it is linked with, as far as they
/// may hold user code. \p Program as resolveProgram gives it.
/// \throws UsageError if one of them tolerates no preloaded library.
std::vector<std::string> userModules(const std::string &Program);

/// Whether the program is linked with a library whose name begins with one of \p Names. A
/// script is linked with none.
bool linksLibrary(const std::string &Program, const std::vector<std::string> &Names);

/// Of `mpirun -n 4 ./train data` the programs that are started by another: each argument after
/// the first that is the path of an executable file, and those that a script among the arguments
/// or a shell's command (`bash -c "exec ./train data"`) names by their paths.
std::vector<std::string> programsAmong(const std::vector<std::string> &Arguments);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_TARGET_H
