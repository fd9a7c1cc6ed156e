//===-- OutOfPlaceOp.h - tensor-out-of-place-op ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that makes a second large tensor while its input dies at once. Speaks
// only where no graph can be involved: under grad, the in-place form can keep
// memory for ever where this one keeps none (patterns.md, row 15).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_OUTOFPLACEOP_H
#define TENSORLEAK_CHECKS_OUTOFPLACEOP_H

#include "checks/Rule.h"

namespace tensorleak {

class OutOfPlaceOp : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-out-of-place-op";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_OUTOFPLACEOP_H
