//===-- Events.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Events.h"

#include "checks/facts/Fate.h"
#include "checks/model/mutation/Mutation.h"

namespace tensorleak::events {
namespace {

/// What gradients have to do with an event, as bits.
enum Training : uint8_t { NeedsGrad = 1, InSteps = 2 };

struct Properties {
  llvm::StringLiteral Name;
  Content OfPlace;
  OnGraph OfGraph;
  ForCallers Heard;
  uint8_t Fate;
  uint8_t OfTraining;
};

constexpr Properties Table[] = {
#define EVENT(Kind, OfPlace, OfGraph, Heard, Fate, OfTraining)                                     \
  {#Kind, Content::OfPlace, OnGraph::OfGraph, ForCallers::Heard, Fate, OfTraining},
#include "checks/facts/Events.def"
};

const Properties &of(EventKind K) { return Table[unsigned(K)]; }

/// The column of K, or in a mutation of it \p Least, or \p Other where it is that already.
template <class T> T column(EventKind K, llvm::StringRef Column, T Written, T Least, T Other) {
  return mutation::valueOf("Events", of(K).Name + "." + Column, Written,
                           Written == Least ? Other : Least);
}

} // namespace

llvm::StringRef name(EventKind K) { return of(K).Name; }
Content content(EventKind K) {
  return column(K, "content", of(K).OfPlace, Content::Same, Content::Changed);
}
OnGraph onGraph(EventKind K) {
  return column(K, "graph", of(K).OfGraph, OnGraph::Stays, OnGraph::Ends);
}
ForCallers forCallers(EventKind K) {
  return column(K, "callers", of(K).Heard, ForCallers::Inside, ForCallers::Untold);
}
uint8_t fate(EventKind K) {
  return column<uint8_t>(K, "fate", of(K).Fate, 0, ReachesReturn | ReachesUnknown);
}
bool needsGrad(EventKind K) {
  return column(K, "needsGrad", bool(of(K).OfTraining & NeedsGrad), false, true);
}
bool isInSteps(EventKind K) {
  return column(K, "isInSteps", bool(of(K).OfTraining & InSteps), false, true);
}
bool leaves(EventKind K) { return fate(K) & (ReachesReturn | ReachesUnknown); }

} // namespace tensorleak::events
