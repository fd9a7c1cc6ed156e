//===-- Keys.h - Keys that name another element in the next step ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_PARTS_KEYS_H
#define TENSORLEAK_CHECKS_FLOW_PARTS_KEYS_H

#include "checks/flow/parts/Parts.h"

namespace tensorleak {

/// \p Key comes from outside of the round of \p L, and may be another one in the next: it is made
/// of what counts the rounds, of a variable or member that is changed, or of what is given.
/// NoId: of the calls of the function. What a loop inside of the round counts is the same again.
bool mayNameAnother(const FunctionFacts &Facts, const clang::Expr &Key, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_PARTS_KEYS_H
