//===-- RepeatedTransfer.h - tensor-repeated-transfer ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same host tensor is copied to the device in every round of a loop.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_REPEATEDTRANSFER_H
#define TENSORLEAK_CHECKS_REPEATEDTRANSFER_H

#include "checks/Rule.h"

namespace tensorleak {

class RepeatedTransfer : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-repeated-transfer";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_REPEATEDTRANSFER_H
