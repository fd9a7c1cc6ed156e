//===-- Optimizers.h - Which parameters an optimizer was given ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_OPTIMIZERS_H
#define TENSORLEAK_CHECKS_QUESTIONS_OPTIMIZERS_H

#include "checks/flow/Unit.h"

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

/// What an optimizer steps, wherever in the file it is made.
struct SteppedParameters {
  using Decls = llvm::SmallVector<const clang::ValueDecl *, 2>;
  bool Known = false; ///< each place that makes it is understood
  Decls Modules;      ///< all their parameters
  Decls Around;       ///< objects that the modules are parts of
  Decls Tensors;      ///< given one by one

  /// Whether \p Module is one of them, a part of one, or around one.
  bool concerns(const FunctionFacts &Facts, PlaceId Module) const;
};
SteppedParameters steppedBy(Unit &U, const clang::ValueDecl &Optimizer);

/// Each round of \p L, or, without one, each call of \p F makes the optimizer \p D anew, itself or
/// by what it calls: what the one before had is gone. Not where \p D is null.
bool isMadeAnew(const Unit &U, const FunctionUnit &F, const clang::ValueDecl *D, LoopId L,
                unsigned Calls = 0);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_OPTIMIZERS_H
