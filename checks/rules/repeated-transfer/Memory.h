//===-- Memory.h - Pointers to the memory of a tensor ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_MEMORY_H
#define TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_MEMORY_H

#include "checks/facts/Facts.h"
#include "checks/model/ApiModel.h"

namespace tensorleak {

/// Whether \p E speaks of \p Tensor, or of a name for it: `x[0]`, `*box`, `auto &name = x; name`,
/// or what a body that runs here calls it.
bool speaksOf(const FunctionFacts &Facts, const clang::Stmt &E, const clang::ValueDecl &Tensor);

/// A body takes a pointer to the memory of \p Tensor, or an accessor: what is written through it
/// is not followed.
bool givesMemoryOf(const FunctionFacts &Facts, const clang::ValueDecl &Tensor, ApiModel &Model);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_MEMORY_H
