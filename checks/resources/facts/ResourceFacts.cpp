//===-- ResourceFacts.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceFacts.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

SparedElements Site::sparedBy(unsigned AtEnds, const ElementEnd &Until) const {
  const bool HaveEnds = End.Number && Until.Number && End.Of == Until.Of;
  const int64_t Behind = HaveEnds ? *End.Number - *Until.Number : 0;
  return {AtEnds > First ? AtEnds - First : 0, Behind > 0 ? unsigned(Behind) : 0};
}

llvm::SmallVector<PathId, 2> ResourceEvent::storedFrom() const {
  llvm::SmallVector<PathId, 2> Places;
  if (Kind == ResourceEventKind::CopyTree)
    Places.push_back(From);
  if (Kind == ResourceEventKind::Assign)
    for (const Atom &A : Value)
      if (A.What == Atom::Load)
        Places.push_back(A.Id);
  return Places;
}

/// A lambda's body sees the variables of the function around it: not its own.
bool ResourceFacts::isOwnVariable(const ValueDecl *V) const {
  if (isa_and_nonnull<BindingDecl>(V))
    return V->getDeclContext() == Function;
  const auto *Var = dyn_cast_or_null<VarDecl>(V);
  // A loop's hidden variable refers to a list that the loop made.
  bool Refers = Var && Var->getType()->isReferenceType() && !Var->isImplicit();
  if (!Var || !Var->hasLocalStorage() || Refers)
    return false;
  const DeclContext *Owner = Var->getDeclContext();
  return Owner == Function || Owner->getRedeclContext() == Function;
}

/// A member that is a reference, as a guard has one to what it works on.
static bool refersElsewhere(const Step &S) {
  return S.What == Step::Field && S.Decl->getType()->isReferenceType();
}

bool ResourceFacts::isOwnStorage(PathId P) const {
  for (; Paths.last(P).What != Step::Root; P = Paths.parent(P))
    if (Paths.last(P).What == Step::Star || refersElsewhere(Paths.last(P)))
      return false;
  return isOwnVariable(Paths.last(P).Decl);
}

bool ResourceSummary::speaksOf(unsigned Param) const {
  auto IsIt = [Param](const RelativeResourcePath &P) {
    return P.Root == RelativeResourcePath::Param && P.Param_ == Param;
  };
  auto IsRotated = [&](const auto &Places) { return llvm::any_of(Places, IsIt); };
  return ReleasesAll || llvm::is_contained(ReturnsParams, Param) || llvm::any_of(Escapes, IsIt) ||
         llvm::any_of(Doubts, IsIt) || llvm::any_of(TreesEscape, IsIt) ||
         llvm::any_of(Rotates, IsRotated) || llvm::any_of(Views, IsIt) ||
         llvm::any_of(Releases, [&](const auto &Each) { return IsIt(Each.Where); }) ||
         llvm::any_of(ReturnsAddresses, IsIt) ||
         llvm::any_of(Returns, [&](const auto &Each) { return IsIt(Each.From); }) ||
         llvm::any_of(MovesOut, [&](const auto &Each) { return IsIt(Each.From); }) ||
         llvm::any_of(Stores,
                      [&](const auto &Each) { return IsIt(Each.Where) || IsIt(Each.From); });
}

} // namespace tensorleak
