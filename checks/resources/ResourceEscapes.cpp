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
  give(V, S, E.When);
  if (!V.isResource())
    return;
  // What lies in host memory goes where the memory goes.
  std::vector<PathId> Blocks;
  for (const auto &[P, Values] : S.Holders)
    if (Values.count(V))
      Blocks.push_back(P);
  for (PathId P : Blocks)
    if (!isOver(Budget::PointerDepth, Depth + 1)) {
      escapeTree(E, Facts.Paths.extend(P, Step::star(Step::Any)), S, Depth + 1);
      escapeGivenBelow(E, P, S);
    }
}

/// `node->data = p; keep(node);`: what the caller gave goes where the memory goes.
void ResourceTransfer::escapeGivenBelow(const ResourceEvent &E, PathId Pointer, ResourceState &S) {
  HeldValues Given;
  for (const auto &[P, Values] : S.Holders)
    if (P != Pointer && Facts.Paths.isAtOrBelow(P, Pointer))
      llvm::copy_if(Values, std::inserter(Given, Given.end()),
                    [&](const HeldValue &V) { return isGiven(V); });
  for (const HeldValue &V : Given) {
    Listener->onEscape(E, V);
    give(V, S, E.When);
  }
}

void ResourceTransfer::escapeTree(const ResourceEvent &E, PathId P, ResourceState &S,
                                  unsigned Depth) {
  for (PathId Q : resolve(P, S)) {
    Listener->onTreeEscape(E, Q);
    if (Facts.Paths.last(Q).What == Step::Star) // a method may keep its object, or delete it
      for (const HeldValue &V : load(Facts.Paths.parent(Q), S)) {
        if (isObject(V, S))
          escape(E, V, S, Depth + 1);
        if (V.What == HeldValue::Initial)
          give(V, S);
      }
    HeldValues Held;
    for (const auto &[Other, Values] : S.Holders)
      if (Facts.Paths.isAtOrBelow(Other, Q))
        for (const HeldValue &V : Values)
          if (!V.isResource() || mayOwn(V, S))
            Held.insert(V);
    // A copy that is returned leaves with its owner what that keeps: `all[n] = e; return e;`.
    auto IsKept = [&](const HeldValue &V) {
      return E.Kind == ResourceEventKind::Return && V.isResource() && isHeldOutside(V, S);
    };
    for (const HeldValue &V : Held)
      if (!isOver(Budget::PointerDepth, Depth + 1) && V.What != HeldValue::Initial && !IsKept(V)) {
        escape(E, V, S, Depth + 1);
        escapeBlockAround(E, V, S, Depth + 1);
      }
  }
}

/// `&block->member`: who gets that can come back to the block, and give it back.
void ResourceTransfer::escapeBlockAround(const ResourceEvent &E, HeldValue V, ResourceState &S,
                                         unsigned Depth) {
  if (V.What != HeldValue::Address || Facts.Paths.last(V.Id).What != Step::Field)
    return;
  PathId Block = V.Id;
  while (Facts.Paths.last(Block).What == Step::Field || Facts.Paths.last(Block).What == Step::Elem)
    Block = Facts.Paths.parent(Block);
  if (Facts.Paths.last(Block).What != Step::Star || isOver(Budget::PointerDepth, Depth + 1))
    return;
  for (const HeldValue &Owned : load(Facts.Paths.parent(Block), S))
    if (Owned.isResource())
      escape(E, Owned, S, Depth + 1);
}

/// `auto &table = tables();`: another name of what only the callee knows.
static bool isLocalReference(const ValueDecl *Name) {
  const auto *V = dyn_cast_or_null<VarDecl>(Name);
  return V && V->hasLocalStorage() && V->getType()->isReferenceType();
}

/// Whether something else than the caller's own variables holds it too: a caller
/// that gets it back then is not its owner.
bool ResourceTransfer::isHeldOutOfSight(HeldValue V, const ResourceState &S) const {
  return llvm::any_of(S.Holders, [&](const auto &Entry) {
    const ValueDecl *Name = Facts.Paths.variable(Entry.first);
    return Entry.second.count(V) && !isOwnStorage(Entry.first, S) &&
           !isa_and_nonnull<ParmVarDecl>(Name) &&
           (Facts.isOwnVariable(Name) || isLocalReference(Name));
  });
}

bool ResourceTransfer::isHeldOutside(HeldValue V, const ResourceState &S) const {
  return llvm::any_of(S.Holders, [&](const auto &Entry) {
    return Entry.second.count(V) && !isOwnStorage(Entry.first, S);
  });
}

/// What lies in the memory \p Block of the host, and the way there from a pointer to it.
void ResourceTransfer::forEachIn(HeldValue Block, const ResourceState &S,
                                 llvm::function_ref<void(HeldValue, llvm::ArrayRef<Step>)> Visit) {
  for (const auto &[Pointer, Blocks] : S.Holders) {
    if (!Block.isResource() || !Blocks.count(Block))
      continue;
    for (const auto &[P, Values] : S.Holders)
      if (P != Pointer && Facts.Paths.isAtOrBelow(P, Pointer))
        for (const HeldValue &V : Values)
          if (V.isResource() && mayOwn(V, S))
            Visit(
                V,
                llvm::ArrayRef(Facts.Paths.steps(P)).drop_front(Facts.Paths.steps(Pointer).size()));
  }
}

/// `return *this;`: the caller gets what it can reach anyway.
static bool isStillThere(HeldValue V, PathId P) { return V == HeldValue{HeldValue::Initial, P}; }

void ResourceTransfer::returnValue(const ResourceEvent &E, ResourceState &S) {
  auto Return = [&](HeldValue V, llvm::ArrayRef<Step> Way) {
    llvm::SmallVector<Step, 4> Part(E.Below.begin(), E.Below.end());
    Part.append(Way.begin(), Way.end());
    Listener->onReturn(E, V, Part);
  };
  for (const HeldValue &V : valuesOf(E.Value, S)) {
    if (V.isResource() && (!mayOwn(V, S) || isHeldOutOfSight(V, S)))
      continue;
    Return(V, {});
    forEachIn(V, S, Return);
    if (!V.isResource() || !isHeldOutside(V, S))
      escape(E, V, S);
    escapeBlockAround(E, V, S);
  }
  for (const ReturnedPart &Part : E.Parts) {
    Return(current(Part.Site), Part.Steps);
    give(current(Part.Site), S);
  }
  if (E.Path == NoPath)
    return;
  const bool IsInPlace = Facts.Function->getReturnType()->isReferenceType();
  for (PathId Q : resolve(E.Path, S)) {
    size_t Depth = Facts.Paths.steps(Q).size();
    for (const auto &[P, Values] : S.Holders)
      if (Facts.Paths.isAtOrBelow(P, Q))
        for (const HeldValue &V : Values)
          if (V.isResource() ? mayOwn(V, S) : !(IsInPlace && isStillThere(V, P)))
            Return(V, llvm::ArrayRef(Facts.Paths.steps(P)).drop_front(Depth));
    escapeTree(E, Q, S);
  }
}

/// A callee keeps what this function has taken outside of it where it gives its answer; elsewhere
/// whoever has it still does. What the caller gave is stored for all that callers know.
bool ResourceTransfer::storeIfAccepted(const ResourceEvent &E, PathId Target, const HeldValues &New,
                                       ResourceState &S) {
  if (!E.When || isOwnStorage(Target, S) ||
      !llvm::all_of(New, [](const HeldValue &V) { return V.isResource(); }))
    return false;
  Listener->onStore(E, Target, New, S);
  for (const HeldValue &V : New)
    give(V, S, E.When);
  return true;
}

//===-- Memory with two names ---------------------------------------------===//

/// The memory of the host that \p Pointer points to is reached through another pointer, too.
bool ResourceTransfer::hasTwoNames(PathId Pointer, const ResourceState &S) const {
  auto Blocks = S.Holders.find(Pointer);
  return Blocks != S.Holders.end() && llvm::any_of(Blocks->second, [&](const HeldValue &V) {
           return V.isResource() && infoOf(Facts.Sites[V.Id].What).IsHost &&
                  llvm::any_of(S.Holders, [&](const auto &Entry) {
                    return Entry.first != Pointer && Entry.second.count(V);
                  });
         });
}

/// `head = node`, and what `node->data` holds is released as `head->data`: which of the names
/// means which is not followed. Neither what is stored below them, nor what lies there already.
void ResourceTransfer::giveUnderTwoNames(PathId Target, const HeldValues &New, ResourceState &S) {
  for (PathId P = Target; Facts.Paths.last(P).What != Step::Root; P = Facts.Paths.parent(P))
    if (Facts.Paths.last(P).What == Step::Star && hasTwoNames(Facts.Paths.parent(P), S))
      for (const HeldValue &V : New)
        if (V.isResource())
          give(V, S);
  if (!hasTwoNames(Target, S))
    return;
  for (const HeldValue &Block : New)
    forEachIn(Block, S, [&](HeldValue In, llvm::ArrayRef<Step>) { give(In, S); });
}

//===-- What is over ------------------------------------------------------===//

/// What has been released for certain on all ways to here is not owned behind it. \p True holds on
/// all of them.
void ResourceTransfer::forgetReleased(ResourceState &S, const Conditions &True) {
  for (auto It = S.Guards.begin(); It != S.Guards.end();) {
    Questions->forget(It->second, True);
    const bool IsOver = Questions->isReleased(*It->second, *Path) && !isHeldOutside(It->first, S);
    It = IsOver ? S.Guards.erase(It) : std::next(It);
  }
}

/// Of variables that \p IsNamed denies, nobody asks what they hold, but for what is still owned,
/// also in memory that they point to: that is how it is known to be this function's.
void ResourceTransfer::forgetUnnamed(ResourceState &S,
                                     llvm::function_ref<bool(const ValueDecl &)> IsNamed) const {
  std::set<const ValueDecl *> Pointed;
  for (const auto &[P, Values] : S.Holders)
    for (const HeldValue &V : Values)
      if (V.What == HeldValue::Address)
        Pointed.insert(Facts.Paths.variable(V.Id));
  std::set<const ValueDecl *> Owners;
  for (const auto &[P, Values] : S.Holders)
    if (llvm::any_of(Values, [&](HeldValue Held) { return S.Guards.count(Held) > 0; }))
      Owners.insert(Facts.Paths.variable(P));
  for (auto It = S.Holders.begin(); It != S.Holders.end();) {
    const ValueDecl *V = Facts.Paths.variable(It->first);
    const bool IsOver = V && !isa<ParmVarDecl>(V) && Facts.isOwnStorage(It->first) &&
                        !Pointed.count(V) && !Owners.count(V) && !IsNamed(*V);
    It = IsOver ? S.Holders.erase(It) : std::next(It);
  }
}

void ResourceTransfer::doubt(const ResourceEvent &E, ResourceState &S) {
  for (const HeldValue &V : valuesOf(E.Value, S)) {
    Listener->onEscape(E, V);
    forEachIn(V, S, [&](HeldValue In, llvm::ArrayRef<Step>) { Listener->onEscape(E, In); });
  }
}

//===-- What is attached to memory ------------------------------------------===//

/// Whatever else holds the memory \p Of holds what was attached to it as well.
void ResourceTransfer::joinAliases(const ResourceEvent &E, const HeldValues &Of, ResourceState &S) {
  const HeldValue Attached = current(E.Site);
  for (const HeldValue &V : Of)
    if (V.What == HeldValue::Initial)
      S.Holders.try_emplace(V.Id, HeldValues{V});
  for (auto &[P, Values] : S.Holders)
    if (llvm::any_of(Of, [&Values = Values](const HeldValue &V) {
          return V.What != HeldValue::Address && Values.count(V);
        })) {
      Values.insert(Attached);
      Listener->onStore(E, P, Values, S);
    }
}

/// `float *p = all.data(); attach(p); ... detach(all.data());`: what the function calls otherwise
/// may be the same memory.
void ResourceTransfer::detachSome(const ResourceEvent &E, ResourceState &S) {
  auto IsData = [&](PathId P) { return Facts.Paths.last(P).What == Step::Data; };
  const bool IsOfData =
      !E.Value.empty() && E.Value.front().What != Atom::Fresh && IsData(E.Value.front().Id);
  for (SiteId Id = 0; Id < Facts.Sites.size(); ++Id) {
    auto IsOther = [&](const auto &Entry) {
      return Entry.second.count(current(Id)) && !(IsOfData && IsData(Entry.first));
    };
    if (Facts.Sites[Id].isAcceptedBy(E.Accepts) && llvm::any_of(S.Holders, IsOther))
      give(current(Id), S);
  }
}

} // namespace tensorleak
