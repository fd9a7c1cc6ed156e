//===-- Holders.h - Who keeps what a site allocates -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the variables at the ends of the ways that the probe found from what stays
// alive, and counts for each site how many of its objects lead to the same one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_HOLDERS_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_HOLDERS_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

std::vector<HeldSite> heldSites(const Recording &R, Symbolizer &Symbols);

/// "'losses_' (a member of Trainer, train.cpp:12), through 7 autograd nodes".
std::string describe(const Holder &H);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_HOLDERS_H
