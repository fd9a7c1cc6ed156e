//===-- UndeletedTensor.h - tensor-undeleted-tensor -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory that nobody can free any more (raw new, a released reference,
// a blob without a deleter), and large tensors that outlive their last use.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_UNDELETEDTENSOR_H
#define TENSORLEAK_CHECKS_UNDELETEDTENSOR_H

#include "checks/Rule.h"

namespace tensorleak {

class UndeletedTensor : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-undeleted-tensor";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_UNDELETEDTENSOR_H
