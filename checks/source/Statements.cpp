//===-- Statements.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Statements.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {

bool anyBelow(const Stmt *S, llvm::function_ref<bool(const Stmt &)> Wanted) {
  return S && (Wanted(*S) || llvm::any_of(S->children(), [&](const Stmt *Child) {
                 return anyBelow(Child, Wanted);
               }));
}

bool contains(const Stmt *S, const Stmt *Part) {
  return anyBelow(S, [&](const Stmt &Below) { return &Below == Part; });
}

} // namespace tensorleak
