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

#include "checks/source/entries/Entries.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

/// What shows that the element of a container to which \p Store gives something was there before:
/// a search for its key, or the answer that an `emplace` found one. Null where it may be new, and
/// where \p In asks whether the element holds anything.
const clang::Stmt *foundBefore(const clang::Stmt &Store, const clang::FunctionDecl &In);

//===-- Of any element ----------------------------------------------------===//

/// A condition in \p In that \p Names an element asks whether that holds anything: `if
/// (!it->second)`, `if (entry.size > 0)`. Which element it is, and whether it is large enough,
/// tells nothing of that.
bool isStateAsked(const clang::FunctionDecl &In,
                  llvm::function_ref<bool(const clang::Expr &)> Names);

/// `sizes.find(p)`, `sizes.erase(p)`, where the entries hold but numbers and \p Body reads no key:
/// who calls the function has p as before.
bool onlyLooksUp(const clang::CXXMethodDecl &Method, const clang::Stmt *Body);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_FOUNDELEMENTS_H
