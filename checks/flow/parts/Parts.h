//===-- Parts.h - Loops over the parts of a network -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over the layers or parameters of a network ends with them: it is a part of one step,
// and what it does to the third of them the next step does to the third again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_PARTS_PARTS_H
#define TENSORLEAK_CHECKS_FLOW_PARTS_PARTS_H

#include "checks/facts/Facts.h"
#include "checks/model/ApiModel.h"

namespace tensorleak {

/// What \p P holds came from `net->parameters()`.
bool holdsParameters(const FunctionFacts &Facts, PlaceId P);

/// The variable that \p Loop, which is no range-for, counts with: its condition names it.
const clang::ValueDecl *counterOf(const clang::Stmt &Loop);

/// Whether each round of \p L takes the next module of several, or the next parameter.
bool goesOverParts(const FunctionFacts &Facts, ApiModel &Model, LoopId L);

/// The innermost loop from \p L outwards whose rounds may be steps; NoId for none.
LoopId stepsAround(const FunctionFacts &Facts, ApiModel &Model, LoopId L);

/// \p Var begins anew with each round of \p L; NoId: with each call.
bool isOfRound(const FunctionFacts &Facts, const clang::VarDecl &Var, LoopId L);

/// `outputs[i] = x` in a loop over the layers of a network: the next step has the same keys.
bool isKeyOfPart(const FunctionFacts &Facts, ApiModel &Model, const Event &E);
/// The same of any \p Key that is evaluated in \p L.
bool isNameOfPart(const FunctionFacts &Facts, ApiModel &Model, const clang::Expr *Key, LoopId L);

/// The parameter of the function that alone decides \p Key; null for any other key.
const clang::ParmVarDecl *parameterBehind(const FunctionFacts &Facts, const clang::Expr *Key);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_PARTS_PARTS_H
