//===-- NewObjects.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/NewObjects.h"

#include "checks/project/Imports.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

/// Some constructor of the file calls \p F, and no other function does.
static bool isCalledByConstructors(const Unit &U, const CXXMethodDecl &F) {
  bool IsCalled = false;
  for (const FunctionUnit &Caller : U.functions())
    for (const Event &E : Caller.Facts->Events) {
      if (E.Kind != EventKind::UserCall || E.In != NoId ||
          E.Callee->getCanonicalDecl() != F.getCanonicalDecl())
        continue;
      if (!isa<CXXConstructorDecl>(Caller.Facts->Function))
        return false;
      IsCalled = true;
    }
  return IsCalled;
}

/// What other files do with the class is known, as they call or define other methods of it: what
/// they call is known, too.
static bool areOthersKnown(const Unit &U, const CXXRecordDecl &Class) {
  return llvm::any_of(Class.methods(), [&](const CXXMethodDecl *M) {
    return !isa<CXXConstructorDecl, CXXDestructorDecl>(M) &&
           (U.others().callsOf(*M).Calls || U.others().function(*M));
  });
}

bool isForNewObjects(const Unit &U, const FunctionUnit &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts->Function);
  if (!Method || isa<CXXConstructorDecl>(Method))
    return Method;
  if (isa<CXXDestructorDecl>(Method) || Method->isVirtual() || Method->isStatic() ||
      U.calledUnseen().count(Method->getCanonicalDecl()) || U.others().callsOf(*Method).Calls)
    return false;
  const SourceManager &Sources = Method->getASTContext().getSourceManager();
  // No other file can name the class.
  const bool IsOurs =
      Method->getAccess() == AS_private || !Method->isExternallyVisible() ||
      Sources.isInMainFile(Sources.getExpansionLoc(Method->getParent()->getLocation()));
  return (IsOurs || areOthersKnown(U, *Method->getParent())) && isCalledByConstructors(U, *Method);
}

bool isShedInUse(const Unit &U, const ValueDecl &D) {
  auto IsNewObjects = [&](const FunctionUnit &F, PlaceId P) {
    return F.Facts->Places[F.Facts->rootOf(P)].Root == Place::This && isForNewObjects(U, F);
  };
  return U.shrinksHere(&D) && llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
           return llvm::any_of(F.Facts->Events, [&](const Event &E) {
             return events::sheds(E.Kind) && E.Place != NoId &&
                    F.Facts->Places[E.Place].Decl == &D && !IsNewObjects(F, E.Place);
           });
         });
}

} // namespace tensorleak
