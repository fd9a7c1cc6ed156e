//===-- NewObjects.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/callers/NewObjects.h"

#include "checks/model/ClassNames.h"
#include "checks/project/Imports.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace tensorleak {

/// What other files do with the class is known, as they call or define other methods of it: what
/// they call is known, too.
static bool areOthersKnown(const Unit &U, const CXXRecordDecl &Class) {
  return llvm::any_of(Class.methods(), [&](const CXXMethodDecl *M) {
    return !isa<CXXConstructorDecl, CXXDestructorDecl>(M) &&
           (U.others().callsOf(*M).Calls || U.others().function(*M));
  });
}

namespace {

/// Walks from a method up to who calls it.
class MakersOfObjects {
public:
  explicit MakersOfObjects(const Unit &U) : U(U) {}

  /// A constructor, or what is only called for constructors. Methods that call each other are not.
  bool has(const FunctionUnit &F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts->Function);
    if (!Method || isa<CXXConstructorDecl>(Method))
      return Method;
    return isOnlyCalledHere(*Method) && Asked.insert(Method->getCanonicalDecl()).second &&
           isCalledByThem(*Method);
  }

private:
  bool isOnlyCalledHere(const CXXMethodDecl &F) const {
    if (isa<CXXDestructorDecl>(F) || F.isVirtual() || F.isStatic() ||
        U.calledUnseen().count(F.getCanonicalDecl()) || U.others().callsOf(F).Calls)
      return false;
    // No other file can name the class.
    const bool IsOurs =
        F.getAccess() == AS_private || !F.isExternallyVisible() || isInMainFile(*F.getParent());
    return IsOurs || areOthersKnown(U, *F.getParent());
  }

  /// At least one of these calls it, and nobody else does. On a thread of its own it goes on when
  /// the object is made.
  bool isCalledByThem(const CXXMethodDecl &F) {
    bool IsCalled = false;
    for (const FunctionUnit &Caller : U.functions())
      for (const Event &E : Caller.Facts->Events) {
        if (!isCallOf(E, F))
          continue;
        if (E.OnNewThread || !has(Caller))
          return false;
        IsCalled = true;
      }
    return IsCalled;
  }

  static bool isCallOf(const Event &E, const CXXMethodDecl &F) {
    return E.Kind == EventKind::UserCall && E.In == NoId &&
           E.Callee->getCanonicalDecl() == F.getCanonicalDecl();
  }

  const Unit &U;
  llvm::SmallPtrSet<const Decl *, 4> Asked;
};

} // namespace

bool isForNewObjects(const Unit &U, const FunctionUnit &F) { return MakersOfObjects(U).has(F); }

/// The place of \p D that is moved into \p V, as in `cat(std::move(list))`: who writes that is done
/// with it.
static PlaceId movedInto(const FunctionFacts &Facts, ValueId V, const ValueDecl &D) {
  if (V == NoId)
    return NoId;
  const Value &Val = Facts.Values[V];
  if (isMoved(Val) && Facts.Places[Val.Loaded].Decl == &D)
    return Val.Loaded;
  for (ValueId In : Val.Inputs)
    if (isMoved(Facts.Values[In]) || Facts.Values[In].From == Source::Group)
      if (PlaceId P = movedInto(Facts, In, D); P != NoId)
        return P;
  return NoId;
}

/// \p Whole is a container of objects that have the member \p D.
static bool hasInElements(const ValueDecl *Whole, const ValueDecl &D) {
  const auto *Field = dyn_cast<FieldDecl>(&D);
  const CXXRecordDecl *Container = Whole ? recordOf(Whole->getType()) : nullptr;
  return Field && Container && isLibraryContainer(*Container) &&
         llvm::any_of(typeArguments(*Container), [&](QualType Element) {
           const CXXRecordDecl *Class = Element.isNull() ? nullptr : Element->getAsCXXRecordDecl();
           return Class && Class->getCanonicalDecl() == Field->getParent()->getCanonicalDecl();
         });
}

/// The place of \p D, or of the objects that have it, that \p E empties.
static PlaceId shedBy(const FunctionFacts &Facts, const Event &E, const ValueDecl &D) {
  const bool Sheds = events::has(E.Kind, events::Sheds) && E.Place != NoId;
  const ValueDecl *Shed = Sheds ? Facts.Places[E.Place].Decl : nullptr;
  if (Sheds && (Shed == &D || hasInElements(Shed, D)))
    return E.Place;
  PlaceId P = movedInto(Facts, E.Val, D);
  for (unsigned I = 0; I < E.Args.size() && P == NoId; ++I)
    P = movedInto(Facts, E.Args[I], D);
  return P;
}

bool isShedInUse(const Unit &U, const ValueDecl &D) {
  auto IsNewObjects = [&](const FunctionUnit &F, PlaceId P) {
    return F.Facts->Places[F.Facts->rootOf(P)].Root == Place::This && isForNewObjects(U, F);
  };
  auto Sheds = [&](const FunctionUnit &F) {
    return !F.NeverRuns && llvm::any_of(F.Facts->Events, [&](const Event &E) {
      const PlaceId P = shedBy(*F.Facts, E, D);
      return P != NoId && !IsNewObjects(F, P);
    });
  };
  return !U.functionsThat(Asked::Sheds, D, Sheds).empty();
}

} // namespace tensorleak
