//===-- Freezing.h - Which parameters need no gradient any more ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_FREEZING_H
#define TENSORLEAK_CHECKS_FLOW_FREEZING_H

#include "checks/facts/Facts.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// What `p.requires_grad_(false)` means for the module that p belongs to.
struct Freezing {
  const clang::ValueDecl *Module = nullptr; ///< null: not known
  bool IsNothing = false; ///< p is no module's, or the same function thaws it again
  bool InPart = false;    ///< the parameter's name decides whether it is frozen
};

Freezing frozenBy(const FunctionFacts &Facts, const Event &Freeze);

using ModuleSet = llvm::DenseSet<const clang::ValueDecl *>;

/// At the event one of \p Modules runs, or a part of one.
bool runsAnyOf(const ModuleSet &Modules, const FunctionFacts &Facts, const Event &E);

/// The module whose parameters \p V are, as `net->parameters()` is; else null.
const clang::ValueDecl *parametersOfModule(const FunctionFacts &Facts, ValueId V);

/// The compiler did not understand all of the function. What it dropped can empty, freeze or hand
/// on what it names: \p D it does not name, nor anything there that may be another name.
bool isBeyondDroppedCode(const clang::FunctionDecl &F, const clang::ValueDecl &D);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_FREEZING_H
