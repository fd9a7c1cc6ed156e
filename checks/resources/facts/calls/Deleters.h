//===-- Deleters.h - What smart pointers do at their end --------*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_DELETERS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_DELETERS_H

#include "clang/AST/ExprCXX.h"

namespace tensorleak {

/// `[](T *) {}`, or the name of such a function.
bool doesNothing(const clang::Expr &Function);
/// `std::unique_ptr<T>(p)`, `std::shared_ptr<T>(p)`: by `delete`.
bool deletesByDefault(const clang::CXXConstructExpr &Owner);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_DELETERS_H
