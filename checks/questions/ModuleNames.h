//===-- ModuleNames.h - Which variables are the same module ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module holders are shared pointers: a copy is the same module under another name.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_MODULENAMES_H
#define TENSORLEAK_CHECKS_QUESTIONS_MODULENAMES_H

#include "checks/flow/Unit.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace tensorleak {

/// The variable or member that \p E is, through `*` and `->`; null for none.
const clang::ValueDecl *variableNamed(const clang::Expr *E);

/// Whether \p Module, a variable or member that is a module or points to an optimizer, may
/// be known by another name: it was made from something else than a new one, or was copied
/// or put into a container.
bool hasOtherName(Unit &U, const clang::ValueDecl &Module);

/// The function in view whose body a call or a construction runs; of `std::make_shared<T>(...)`
/// the constructor of T. Null for none.
const clang::FunctionDecl *bodyRunBy(const clang::Stmt &S);

using ModuleNameSet = llvm::SmallSetVector<const clang::ValueDecl *, 4>;

/// Every variable, member and parameter that may be the module \p Module, itself too: `net` of
/// `Trainer trainer(net);` where the constructor keeps it in `net_`. Nothing where it may come from
/// or be kept where nothing is seen, as in a container. What functions without a body in view are
/// given they may keep too; the events of their calls tell that.
std::optional<ModuleNameSet> namesOf(Unit &U, const clang::ValueDecl &Module);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_MODULENAMES_H
