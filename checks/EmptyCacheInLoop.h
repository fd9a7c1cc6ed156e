//===-- EmptyCacheInLoop.h - tensor-empty-cache-in-loop ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// emptyCache() in a loop: it frees no live tensor, and the next allocations have
// to go to the driver again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_EMPTYCACHEINLOOP_H
#define TENSORLEAK_CHECKS_EMPTYCACHEINLOOP_H

#include "checks/Rule.h"

namespace tensorleak {

class EmptyCacheInLoop : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-empty-cache-in-loop";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_EMPTYCACHEINLOOP_H
