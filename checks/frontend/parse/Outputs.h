//===-- Outputs.h - What a compile command would write ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_OUTPUTS_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_OUTPUTS_H

#include "clang/Frontend/CompilerInvocation.h"

namespace tensorleak {

/// Reading a source writes no file, whatever its command asks for: dependencies, lists of
/// headers, statistics, diagnostics, times. A command comes from the project, and may name any
/// file of the user's.
void dropOutputs(clang::CompilerInvocation &Invocation);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_OUTPUTS_H
