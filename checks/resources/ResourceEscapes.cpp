//===-- ResourceEscapes.cpp - What leaves a function, and with whom -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceState.h"

#include "checks/Budgets.h"

using namespace clang;

namespace tensorleak {

void ResourceTransfer::escape(const ResourceEvent &E, HeldValue V, ResourceState &S,
                              unsigned Depth) {
  Listener->onEscape(E, V);
  if (V.What == HeldValue::Address && !isOver(Budget::PointerDepth, Depth + 1))
    return escapeTree(E, V.Id, S, Depth + 1);
  if (!V.isResource())
    return;
  give(V, S);
  // What lies in host memory goes where the memory goes.
  std::vector<PathId> Blocks;
  for (const auto &[P, Values] : S.Holders)
    if (Values.count(V))
      Blocks.push_back(P);
  for (PathId P : Blocks)
    if (!isOver(Budget::PointerDepth, Depth + 1))
      escapeTree(E, Facts.Paths.extend(P, Step::star(Step::Any)), S, Depth + 1);
}

void ResourceTransfer::escapeTree(const ResourceEvent &E, PathId P, ResourceState &S,
                                  unsigned Depth) {
  for (PathId Q : resolve(P, S)) {
    Listener->onTreeEscape(E, Q);
    if (Facts.Paths.last(Q).What == Step::Star) // a method may keep its object, or delete it
      for (const HeldValue &V : load(Facts.Paths.parent(Q), S))
        if (isObject(V, S))
          escape(E, V, S, Depth + 1);
    HeldValues Held;
    for (const auto &[Other, Values] : S.Holders)
      if (Facts.Paths.isAtOrBelow(Other, Q))
        for (const HeldValue &V : Values)
          if (!V.isResource() || mayOwn(V, S))
            Held.insert(V);
    for (const HeldValue &V : Held)
      if (!isOver(Budget::PointerDepth, Depth + 1) && V.What != HeldValue::Initial)
        escape(E, V, S, Depth + 1);
  }
}

/// Whether something else than the caller's own variables holds it too: a caller
/// that gets it back then is not its owner.
bool ResourceTransfer::isHeldOutOfSight(HeldValue V, const ResourceState &S) const {
  return llvm::any_of(S.Holders, [&](const auto &Entry) {
    return Entry.second.count(V) && !isOwnStorage(Entry.first, S) &&
           Facts.isOwnVariable(Facts.Paths.variable(Entry.first)) &&
           !isa<ParmVarDecl>(Facts.Paths.variable(Entry.first));
  });
}

bool ResourceTransfer::isHeldOutside(HeldValue V, const ResourceState &S) const {
  return llvm::any_of(S.Holders, [&](const auto &Entry) {
    return Entry.second.count(V) && !isOwnStorage(Entry.first, S);
  });
}

void ResourceTransfer::returnValue(const ResourceEvent &E, ResourceState &S) {
  for (const HeldValue &V : valuesOf(E.Value, S)) {
    if (V.isResource() && (!mayOwn(V, S) || isHeldOutOfSight(V, S)))
      continue;
    Listener->onReturn(E, V, {});
    if (!V.isResource() || !isHeldOutside(V, S))
      escape(E, V, S);
  }
  for (const ReturnedPart &Part : E.Parts) {
    Listener->onReturn(E, current(Part.Site), Part.Steps);
    give(current(Part.Site), S);
  }
  if (E.Path == NoPath)
    return;
  for (PathId Q : resolve(E.Path, S)) {
    size_t Depth = Facts.Paths.steps(Q).size();
    for (const auto &[P, Values] : S.Holders)
      if (Facts.Paths.isAtOrBelow(P, Q))
        for (const HeldValue &V : Values)
          if (!V.isResource() || mayOwn(V, S))
            Listener->onReturn(E, V, llvm::ArrayRef(Facts.Paths.steps(P)).drop_front(Depth));
    escapeTree(E, Q, S);
  }
}

} // namespace tensorleak
