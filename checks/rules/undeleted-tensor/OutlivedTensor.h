//===-- OutlivedTensor.h - Tensors that outlive their last use ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half of tensor-undeleted-tensor that is about peaks: memory that its owner frees, but
// later than it could.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_OUTLIVEDTENSOR_H
#define TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_OUTLIVEDTENSOR_H

#include "checks/rules/Rule.h"

namespace tensorleak {

/// Large local tensors, results of a loop's last round and loaded models that stay in
/// memory after their last use.
void checkOutlivedTensors(Unit &U, std::vector<Diagnosis> &Out);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_OUTLIVEDTENSOR_H
