//===-- LoadedModules.h - Networks that a file loads and only runs --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result that leaves the file may be differentiated by whoever gets it. What
// speaks against that: eval(), or a module of which nobody else has the
// parameters, run on what carries no graph.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_MISSING_NO_GRAD_LOADEDMODULES_H
#define TENSORLEAK_CHECKS_RULES_MISSING_NO_GRAD_LOADEDMODULES_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// The variable that \p P is or is a part of; in an object's own methods, the member.
const clang::ValueDecl *outermostVariable(const FunctionFacts &Facts, PlaceId P);

/// Something in the file needs gradients.
bool trainsSomething(const Unit &U);

/// `eval()` is called on \p Module in \p Where.
bool isEvaluated(const FunctionUnit &Where, const clang::ValueDecl &Module);

/// The variable of whose object \p Part is a part, as of `model.attr("encoder").toModule()`; null
/// for other expressions.
const clang::ValueDecl *wholeIn(const clang::Expr &Part);

/// A member that this file puts in evaluation mode, and never back.
bool isMadeToEvaluate(Unit &U, const clang::ValueDecl &Module);

/// A module that this file loads and puts in evaluation mode, and not one that it was
/// handed.
bool isLoadedToEvaluate(Unit &U, const clang::ValueDecl &Module);

/// A module that this file loads and gives to nobody: who differentiates its results has
/// no use for the gradients of its parameters.
bool isLoadedForItself(Unit &U, const clang::ValueDecl &Module);

/// A module that \p F is handed by callers that only read what it gives, or an inner member, for
/// which another file may load it; or that this file loads and \p F is handed beside plain data.
/// This file does nothing else with it than run it.
bool isThereToBeRun(Unit &U, const FunctionUnit &F, const clang::ValueDecl &Module);

/// Which module the parameter \p Module of \p F is, only callers know: all of them have its body.
bool isCallersAffair(const Unit &U, const FunctionUnit &F, const clang::ValueDecl *Module);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_MISSING_NO_GRAD_LOADEDMODULES_H
