//===-- MissingNoGrad.h - tensor-missing-no-grad -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference and evaluation that run with grad mode on: every activation of the
// forward pass is kept for a backward pass that never comes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MISSINGNOGRAD_H
#define TENSORLEAK_CHECKS_MISSINGNOGRAD_H

#include "checks/Rule.h"

namespace tensorleak {

class MissingNoGrad : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-missing-no-grad";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MISSINGNOGRAD_H
