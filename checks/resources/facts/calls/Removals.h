//===-- Removals.h - What a call takes out of a container ------*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Read off the words of the call: one element, all, or what was put there a
// moment ago.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_REMOVALS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_REMOVALS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace tensorleak {

/// `all.size() > limit`: what is left when a loop over that ends is not nothing.
bool comparesWithMore(const clang::Expr &E);
/// `all.erase(it)`, `all.erase(order_.back())`, `all.pop_back()`: \p In removes one element there,
/// and there is one.
bool namesElement(const clang::Stmt &Removal, const clang::FunctionDecl &In);
/// `auto [it, isNew] = all.emplace(key); ... all.erase(it);`: what \p In put there itself; so is
/// the null that it made room with before: `all.push_back(nullptr); if (!take()) all.pop_back();`.
bool removesNew(const clang::Stmt &Removal, const clang::FunctionDecl &In);

/// `box.reset()`, `box = nullptr`, `box = std::nullopt`: nothing else is there afterwards.
bool onlyEmpties(const clang::Stmt &Removal);
/// `if (slot.isUsed) slot = {};`, `if (!slot.isUsed) return; slot = {};`: \p In comes there only
/// where the record, of class \p Record, says something of itself that is not zero, or a variant
/// that it holds one.
bool isAskedBefore(const clang::Stmt &Removal, const clang::FunctionDecl &In,
                   const clang::CXXRecordDecl &Record);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_REMOVALS_H
