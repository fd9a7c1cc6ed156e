//===-- FilledObjects.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/FilledObjects.h"

using namespace clang;

namespace tensorleak {

/// `pool.give(object)`: what \p Pointer points to is another's on some ways.
static bool isStoredByCallee(const FunctionResources &F, PathId Pointer) {
  return llvm::any_of(F.Taken, [&](const HolderUse &Had) {
    return Had.Path == Pointer && llvm::any_of(F.Taken, [&](const HolderUse &Use) {
             return Use.ByCallee && Use.Site == Had.Site && !F.Facts.isOwnStorage(Use.Path);
           });
  });
}

/// `free(object);`, and not what stands in it.
static bool isFreedHere(const ResourceFacts &Facts, PathId Pointer) {
  return llvm::any_of(Facts.Blocks, [&](const auto &Block) {
    return llvm::any_of(Block, [&](const ResourceEvent &E) {
      return E.Kind == ResourceEventKind::Release && !E.ByCallee &&
             llvm::any_of(E.Value,
                          [&](const Atom &A) { return A.What == Atom::Load && A.Id == Pointer; });
    });
  });
}

/// The object of which a call has returned the address goes elsewhere on other ways, or is freed.
static bool isObjectHandedOn(const FunctionResources &F, const LostResource &L) {
  const PathTable &Paths = F.Facts.Paths;
  PathId P = L.Holder;
  while (Paths.last(P).What != Step::Root && Paths.last(P).What != Step::Star)
    P = Paths.parent(P);
  return Paths.last(P).What == Step::Star &&
         (isStoredByCallee(F, Paths.parent(P)) || isFreedHere(F.Facts, Paths.parent(P)) ||
          llvm::any_of(F.HandedOn, [&](const HolderUse &Use) { return Use.Site == L.Site; }));
}

/// `begin(&object); if (...) return; end(&object);`
bool isFilledAndFreed(const FunctionResources &F, const LostResource &L) {
  const ResourceFacts &Facts = F.Facts;
  if (Facts.Sites[L.Site].SomeWays || L.Holder == NoPath ||
      !Facts.isOwnVariable(Facts.Paths.variable(L.Holder)))
    return false;
  return isObjectHandedOn(F, L) || llvm::any_of(F.Released, [&](const HolderUse &Use) {
           return Use.Site == L.Site && Use.ByCallee;
         });
}

} // namespace tensorleak
