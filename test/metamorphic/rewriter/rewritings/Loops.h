//===-- Loops.h - What all loops have -----------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_LOOPS_H
#define TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_LOOPS_H

#include "test/metamorphic/rewriter/Unit.h"

namespace tensorleak::rewriter {

/// Null where \p S is no loop.
const clang::Stmt *bodyOfLoop(const clang::Stmt *S);

} // namespace tensorleak::rewriter

#endif // TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_LOOPS_H
