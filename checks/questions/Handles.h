//===-- Handles.h - Is this variable the only handle of its storage? ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_HANDLES_H
#define TENSORLEAK_CHECKS_QUESTIONS_HANDLES_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// Whether \p V is memory of its own, that nothing else refers to yet.
bool isFresh(const Value &V);

/// Whether the local variable \p P holds fresh storage only, and no view, copy of
/// the handle, container, lambda or other function ever shares it.
bool isSoleHandle(const Unit &U, const FunctionFacts &Facts, PlaceId P);

/// Whether nothing reads \p P after the event \p Index, in any round of any loop
/// that \p P outlives.
bool isDeadAfter(const FunctionFacts &Facts, PlaceId P, unsigned Index);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_HANDLES_H
