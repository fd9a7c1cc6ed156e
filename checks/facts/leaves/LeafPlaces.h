//===-- LeafPlaces.h - The leaves that a function names --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_LEAVES_LEAFPLACES_H
#define TENSORLEAK_CHECKS_FACTS_LEAVES_LEAFPLACES_H

#include "checks/facts/Facts.h"
#include "checks/facts/leaves/LeafMembers.h"
#include "llvm/ADT/BitVector.h"

namespace tensorleak {

/// The places of \p Facts that are members which begin as leaves; not those of an object that a
/// call which is not followed may have changed.
llvm::BitVector leafPlaces(const FunctionFacts &Facts, LeafMembers &Known);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_LEAVES_LEAFPLACES_H
