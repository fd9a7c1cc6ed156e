//===-- Takes.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/Takes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace tensorleak {

bool isTakenByEachCall(const FunctionResources &F, SiteId Site) {
  return !F.Facts.Function->isMain() && !F.Facts.Sites[Site].SomeWays &&
         llvm::any_of(F.Lost, [&](const LostResource &L) {
           return L.Site == Site && L.How == LostResource::Regrown && L.EachCall;
         });
}

bool isTakenAlways(const FunctionResources &F, SiteId Site) {
  auto IsIt = [&](const ResourceSummary::Taken &T) { return T.Site == Site && !T.Maybe; };
  return llvm::any_of(F.Summary.Takes, IsIt) &&
         llvm::none_of(F.Lost, [&](const LostResource &L) { return L.Site == Site && L.IsAsked; });
}

bool isTakenAt(llvm::ArrayRef<HolderUse> Taken, const HolderUse &Use) {
  return llvm::any_of(Taken,
                      [&](const HolderUse &T) { return T.Path == Use.Path && T.At == Use.At; });
}

bool isNowhereGiven(const ResourceUnit &U, Family What) {
  return llvm::none_of(U.functions(), [&](const auto &F) {
    auto Gives = [&](const HolderUse &Use) {
      return Use.Site ? F->Facts.Sites[*Use.Site].What == What : (Use.Accepts & only(What)) != 0;
    };
    return F->givesArgument(What) || llvm::any_of(F->Released, Gives);
  });
}

//===-- Constructors --------------------------------------------------------===//

const FieldDecl *ownMember(const ResourceFacts &Facts, PathId Holder) {
  if (Holder == NoPath || Facts.Paths.variable(Holder))
    return nullptr;
  const auto Steps = Facts.Paths.steps(Holder);
  const bool IsWhole = Steps.size() == 1;
  const bool IsEach = Steps.size() == 2 && Steps[1] == Step::elem();
  return IsWhole || IsEach ? dyn_cast_or_null<FieldDecl>(Steps[0].Decl) : nullptr;
}

using CountsTaken = llvm::function_ref<bool(const ResourceSummary::Taken &)>;

/// The constructors of the class of the method \p F that fill the member \p Holder, on every way
/// through them.
static llvm::SmallPtrSet<const FunctionDecl *, 4> constructorsThatTake(const ResourceUnit &U,
                                                                       const FunctionResources &F,
                                                                       PathId Holder,
                                                                       CountsTaken Counts) {
  llvm::SmallPtrSet<const FunctionDecl *, 4> Found;
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  bool IsMember = ownMember(F.Facts, Holder);
  if (!Method || isa<CXXConstructorDecl>(Method) || !IsMember)
    return Found;
  RelativeResourcePath Member;
  Member.Steps = llvm::SmallVector<Step, 3>(F.Facts.Paths.steps(Holder));
  const bool IsEach = Member.Steps.back() == Step::elem(); // a loop that fills none is no other way
  for (const auto &Other : U.functions()) {
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Other->Facts.Function);
    if (Constructor && Constructor->getParent() == Method->getParent() &&
        llvm::any_of(Other->Summary.Takes, [&](const ResourceSummary::Taken &T) {
          return (IsEach || !T.Maybe) && Counts(T) && llvm::is_contained(T.Where, Member);
        }))
      Found.insert(Constructor->getCanonicalDecl());
  }
  return Found;
}

bool isFilledByConstructor(const ResourceUnit &U, const FunctionResources &F, PathId Holder) {
  return !constructorsThatTake(U, F, Holder, [](const auto &) { return true; }).empty();
}

/// Those that take it somewhere else than \p L does.
static llvm::SmallPtrSet<const FunctionDecl *, 4>
otherTakers(const ResourceUnit &U, const FunctionResources &F, const LostResource &L) {
  const Site &S = F.Facts.Sites[L.Site];
  SourceLocation Here = S.Inner.isValid() ? S.Inner : S.Call->getExprLoc();
  return constructorsThatTake(U, F, L.Holder, [&](const auto &T) { return T.At != Here; });
}

bool isTakenByConstructor(const ResourceUnit &U, const FunctionResources &F,
                          const LostResource &L) {
  return !otherTakers(U, F, L).empty();
}

bool isTakenByEachConstructor(const ResourceUnit &U, const FunctionResources &F,
                              const LostResource &L) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  auto Takers = otherTakers(U, F, L);
  return Method && llvm::all_of(Method->getParent()->ctors(), [&](const CXXConstructorDecl *C) {
           return C->isCopyOrMoveConstructor() || C->isDeleted() ||
                  Takers.contains(C->getCanonicalDecl());
         });
}

bool letsGoOf(const FunctionResources &F, const RecordKey &Key) {
  return F.letsGoOf([&](const HolderUse &Use) { return keyOf(F.Facts, Use.Path) == Key; });
}

} // namespace tensorleak
