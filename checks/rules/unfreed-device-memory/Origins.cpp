//===-- Origins.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/Origins.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

using Classes = llvm::SmallPtrSet<const CXXRecordDecl *, 8>;

void addOwned(QualType T, Classes &Out, unsigned Depth);

/// \p R, its bases, and what its members own.
void addClass(const CXXRecordDecl *R, Classes &Out, unsigned Depth = 0) {
  if (!R || isOver(Budget::PointerDepth, Depth + 1) || !Out.insert(R->getCanonicalDecl()).second)
    return;
  if (isOfLibrary(*R))
    for (QualType Argument : typeArguments(*R))
      addOwned(Argument, Out, Depth + 1);
  else if ((R = R->getDefinition())) {
    for (const CXXBaseSpecifier &Base : R->bases())
      addOwned(Base.getType(), Out, Depth + 1);
    for (const FieldDecl *Field : R->fields())
      addOwned(Field->getType(), Out, Depth + 1);
  }
}

/// A plain pointer owns nothing.
void addOwned(QualType T, Classes &Out, unsigned Depth) {
  if (!T.isNull())
    addClass(T->getAsCXXRecordDecl(), Out, Depth);
}

bool isMade(const Expr &E, const Classes &Owners) {
  const CXXRecordDecl *R = isa<CXXConstructExpr, InitListExpr>(E) && !E.getType().isNull()
                               ? E.getType()->getAsCXXRecordDecl()
                               : nullptr;
  return R && Owners.count(R->getCanonicalDecl());
}

bool isMethodOf(const FunctionDecl &F, const Classes &Owners) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && Owners.count(Method->getParent()->getCanonicalDecl());
}

/// What the function takes of the device; what a callee puts into a member is taken in the callee.
void addTakes(Diagnosis &D, const ResourceFacts &Facts) {
  for (const Site &S : Facts.Sites)
    if (const FamilyInfo &Info = infoOf(S.What);
        !Info.IsHost && !Info.HoldsTensors && S.What != Family::Owner && !S.OfCallee && S.Call)
      if (SourceLocation Loc = S.Call->getExprLoc(); !llvm::is_contained(D.Subject.Producers, Loc))
        D.Subject.Producers.push_back(Loc);
}

/// What hands it out, and did not take it: `owner.release()`. Null for others.
const CXXRecordDecl *formerOwner(const Site &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(S.Call);
  return Call && S.Inner.isInvalid() ? Call->getRecordDecl() : nullptr;
}

/// What runs before \p Part in the block around it. `owner.release();` has no code of its own.
SourceLocation beforeInBlock(const Stmt *Body, const Stmt &Part) {
  SourceLocation Found;
  anyBelow(Body, [&](const Stmt &S) {
    if (!isa<CompoundStmt>(S) || !contains(&S, &Part))
      return false;
    const Stmt *Before = nullptr;
    for (const Stmt *Child : S.children()) {
      if (contains(Child, &Part))
        break;
      Before = Child;
    }
    Found = Before ? Before->getBeginLoc() : SourceLocation();
    return false;
  });
  return Found;
}

} // namespace

void addOrigins(Diagnosis &D, const ResourceUnit &U, const CXXRecordDecl &Owner) {
  Classes Owners;
  addClass(&Owner, Owners);
  for (const auto &F : U.functions()) {
    const FunctionDecl &Function = *F->Facts.Function;
    if (isMethodOf(Function, Owners) ||
        mentions(Function.getBody(), [&](const Expr &E) { return isMade(E, Owners); }))
      addTakes(D, F->Facts);
  }
}

void addOrigins(Diagnosis &D, const ResourceUnit &U, const ValueDecl &Variable) {
  for (const auto &F : U.functions())
    if (mentions(F->Facts.Function->getBody(),
                 [&](const Expr &E) { return variableOrMember(&E) == &Variable; }))
      addTakes(D, F->Facts);
}

void setOriginsOfOwner(Diagnosis &D, const ResourceUnit &U, const ResourceFacts &Facts,
                       const Site &S) {
  const CXXRecordDecl *Owner = formerOwner(S);
  if (!Owner)
    return;
  std::vector<SourceLocation> Own;
  std::swap(Own, D.Subject.Producers);
  addOrigins(D, U, *Owner);
  if (D.Subject.Producers.empty())
    D.Subject.Producers = std::move(Own);
  else
    D.Subject.LastUse = beforeInBlock(Facts.Function->getBody(), *S.Call);
}

} // namespace tensorleak
