//===-- FoundByKey.h - Entries that a store replaces although they were found --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_KEYS_FOUNDBYKEY_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_KEYS_FOUNDBYKEY_H

#include "clang/AST/Stmt.h"
#include "clang/Analysis/CFG.h"

namespace tensorleak {

/// `auto it = all.find(key); if (it != all.end() && it->second.size >= n) return ...; all[key] =
/// p;`: the condition that says of the element that \p Store gives something that it is there,
/// where a way leads from that answer to \p Store. Null where none does, where the entry may be
/// taken out in between, and where \p In asks whether it holds anything.
const clang::Expr *foundByKey(const clang::Stmt &Store, const clang::FunctionDecl &In,
                              const clang::CFG &Cfg);

/// Whether \p Other runs only where that answer was another one: `else if (isFull) evict();`.
bool runsOnlyUnlessFound(const clang::Stmt &Other, const clang::Stmt &Store,
                         const clang::FunctionDecl &In, const clang::CFG &Cfg);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_KEYS_FOUNDBYKEY_H
