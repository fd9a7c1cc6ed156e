//===-- MissingZeroGrad.h - tensor-missing-zero-grad ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per optimizer: a loop that runs backward and step() again and again, and
// nothing on the way round resets the gradients of that optimizer.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MISSINGZEROGRAD_H
#define TENSORLEAK_CHECKS_MISSINGZEROGRAD_H

#include "checks/Rule.h"

namespace tensorleak {

class MissingZeroGrad : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-missing-zero-grad";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MISSINGZEROGRAD_H
