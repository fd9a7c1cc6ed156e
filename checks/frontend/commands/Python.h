//===-- Python.h - Extensions where Python's headers are missing -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. `torch/extension.h` ends in Python.h, without which hundreds of errors in
// LibTorch's headers keep it from being a prelude. What extensions ask of it is declared by us.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_PYTHON_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_PYTHON_H

#include "checks/frontend/commands/Flags.h"

namespace tensorleak {

/// Puts our declarations first on the include path where \p Text, the source, includes pybind11 or
/// LibTorch's half for Python and no folder of \p Command has Python.h; else nothing.
CommandLine pythonFlags(const SourceUnit &TheUnit, const CommandLine &Command,
                        llvm::StringRef Text);

/// share/python, installed or in the source tree.
std::string bundledPythonFolder();

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_PYTHON_H
