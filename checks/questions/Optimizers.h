//===-- Optimizers.h - Which parameters an optimizer was given ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_OPTIMIZERS_H
#define TENSORLEAK_CHECKS_QUESTIONS_OPTIMIZERS_H

#include "checks/facts/Facts.h"

namespace tensorleak {

/// The modules whose parameters an optimizer steps, as far as they are known.
struct ParameterSet {
  bool Known = false;
  llvm::SmallVector<const clang::ValueDecl *, 2> Modules;
  bool has(const clang::ValueDecl *Module) const { return llvm::is_contained(Modules, Module); }
};

/// What the optimizer \p D was given in this function. Not known for a member: it
/// is made in another method, from another name for the module.
ParameterSet parametersOf(const FunctionFacts &Facts, const clang::ValueDecl *D);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_OPTIMIZERS_H
