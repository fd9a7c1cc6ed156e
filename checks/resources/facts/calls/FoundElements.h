//===-- FoundElements.h - Elements that were there before ------*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `it = all.find(key); if (it != all.end()) it->second = p;`: read off the words
// around a store, it goes where something is already.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_FOUNDELEMENTS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_FOUNDELEMENTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace tensorleak {

/// What shows that the element of a container to which \p Store gives something was there before:
/// a search for its key, or the answer that an `emplace` found one. Null where it may be new, and
/// where \p In asks whether the element holds anything.
const clang::Stmt *foundBefore(const clang::Stmt &Store, const clang::FunctionDecl &In);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_FOUNDELEMENTS_H
