//===-- Memory.h - Pointers to the memory of a tensor ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_MEMORY_H
#define TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_MEMORY_H

#include "checks/model/ApiModel.h"
#include "clang/AST/Stmt.h"

namespace tensorleak {

/// \p Body takes a pointer to the memory of \p Tensor, or an accessor: what is written through it
/// is not followed.
bool givesMemoryOf(const clang::ValueDecl &Tensor, const clang::Stmt &Body, ApiModel &Model);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_MEMORY_H
