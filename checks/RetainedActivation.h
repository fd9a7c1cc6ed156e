//===-- RetainedActivation.h - tensor-retained-activation -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, with their graphs or without, that stay in something which outlives
// the step: containers, accumulators, hidden state, persistent buffers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RETAINEDACTIVATION_H
#define TENSORLEAK_CHECKS_RETAINEDACTIVATION_H

#include "checks/Rule.h"

namespace tensorleak {

class RetainedActivation : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-retained-activation";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RETAINEDACTIVATION_H
