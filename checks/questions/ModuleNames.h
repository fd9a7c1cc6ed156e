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

namespace tensorleak {

/// The variable or member that \p E is, through `*` and `->`; null for none.
const clang::ValueDecl *variableNamed(const clang::Expr *E);

/// Whether \p Module, a variable or member that is a module or points to an optimizer, may
/// be known by another name: it was made from something else than a new one, or was copied
/// or put into a container.
bool hasOtherName(Unit &U, const clang::ValueDecl &Module);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_MODULENAMES_H
