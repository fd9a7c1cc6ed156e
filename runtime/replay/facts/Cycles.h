//===-- Cycles.h - Graphs that refer to themselves, in words --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the cycles that the probe found to the reference that closes each.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_CYCLES_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_CYCLES_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

/// One per different wording; those first of which it is known what closes them, of these
/// the shortest.
std::vector<GraphCycle> graphCycles(const Recording &R, Symbolizer &Symbols);

/// "MulBackward1" of "N5torch8autograd9generated12MulBackward1E", the program's own
/// name of a custom function; "" if it is no class of nodes.
std::string nodeName(const std::string &Mangled);

/// The program's class of a custom function with its namespaces; "" of other nodes.
std::string customFunction(const std::string &Mangled);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_CYCLES_H
