//===-- FilledObjects.h - Objects that a callee fills ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_FILLEDOBJECTS_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_FILLEDOBJECTS_H

#include "checks/resources/ResourceFlow.h"

namespace tensorleak {

/// Whether what a callee put into an object of the function's own is this function's to give back:
/// on other ways it does, or the object goes to somebody else, or is freed itself.
/// `begin(&object); if (...) return; end(&object);`
bool isFilledAndFreed(const FunctionResources &F, const LostResource &L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_FILLEDOBJECTS_H
