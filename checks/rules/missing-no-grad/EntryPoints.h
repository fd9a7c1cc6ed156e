//===-- EntryPoints.h - Functions for callers that nobody sees ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function is given and what becomes of what it gives, where the callers are
// seen and where they are not: may a gradient have to go through the network that it
// runs?
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_MISSING_NO_GRAD_ENTRYPOINTS_H
#define TENSORLEAK_CHECKS_RULES_MISSING_NO_GRAD_ENTRYPOINTS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// Some call of \p F is seen, and what it returns is only read by all that are seen.
bool isOnlyReadByCallers(const Unit &U, const FunctionUnit &F);

/// \p F is there for callers that nobody sees, who give it one thing that may carry a graph: the
/// input of a model. A criterion, whose result is to be differentiated, compares two.
/// Or it is called by such functions alone, \p Calls away from the one that is asked for.
bool isEntryPoint(Unit &U, const FunctionUnit &F, unsigned Calls = 0);

/// Callers hand \p F no tensors: it is given numbers and objects of theirs. Or it is called by
/// such functions alone, which make what they hand over.
bool takesPlainData(Unit &U, const FunctionUnit &F, unsigned Calls = 0);

/// Wherever \p V goes from \p F to code that is not seen, that code makes something else of it:
/// it gives or fills in what has no tensors, and is given no other tensors to compare with.
bool isOnlyTurnedIntoData(Unit &U, const FunctionUnit &F, ValueId V);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_MISSING_NO_GRAD_ENTRYPOINTS_H
