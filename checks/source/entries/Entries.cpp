//===-- Entries.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/entries/Entries.h"

#include "checks/source/References.h"

using namespace clang;

namespace tensorleak {

const Expr *behindName(const Expr *E, const Stmt &Body) {
  E = bare(E);
  const VarDecl *Name = E->getType()->isBooleanType() ? constantName(*E, Body) : nullptr;
  return Name && Name->getInit() && !isa<DecompositionDecl>(Name)
             ? behindName(Name->getInit(), Body)
             : E;
}

llvm::SmallVector<const Expr *, 2> targetsOf(const Stmt &Store) {
  if (const auto *Set = dyn_cast<BinaryOperator>(&Store))
    return {Set->getLHS()};
  if (const auto *Set = dyn_cast<CXXOperatorCallExpr>(&Store))
    return {Set->getArg(0)};
  llvm::SmallVector<const Expr *, 2> Out;
  if (const auto *Call = dyn_cast<CallExpr>(&Store))
    for (const Expr *Arg : Call->arguments())
      if (Arg->getType()->isPointerType())
        Out.push_back(Arg);
  return Out;
}

Comparison equalityOf(const Expr &E) {
  if (const auto *Op = dyn_cast<BinaryOperator>(&E); Op && Op->isEqualityOp())
    return {Op->getLHS(), Op->getRHS(), Op->getOpcode() == BO_EQ};
  if (const auto *Turned = dyn_cast<CXXRewrittenBinaryOperator>(&E);
      Turned && BinaryOperator::isEqualityOp(Turned->getOperator()))
    return {Turned->getLHS(), Turned->getRHS(), Turned->getOperator() == BO_EQ};
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
  const OverloadedOperatorKind How = Call ? Call->getOperator() : OO_None;
  const bool IsEquality = How == OO_EqualEqual || How == OO_ExclaimEqual;
  return IsEquality && Call->getNumArgs() == 2
             ? Comparison{Call->getArg(0), Call->getArg(1), How == OO_EqualEqual}
             : Comparison();
}

llvm::StringRef methodOfLibrary(const CXXMemberCallExpr &Call) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  return Method && Method->getIdentifier() && Method->getParent()->isInStdNamespace()
             ? Method->getName()
             : "";
}

ElementNamed entryNamed(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  bool IsLookup = Call && Call->getNumArgs() == 1 && methodOfLibrary(*Call) == "at";
  return IsLookup ? ElementNamed{Call->getImplicitObjectArgument(), Call->getArg(0)}
                  : elementNamed(E);
}

/// The entry that \p E, which something is put into, is or is a part of.
static ElementNamed entryAround(const Expr *E) {
  while ((E = bare(E))) {
    if (const ElementNamed Entry = entryNamed(*E); Entry.Base)
      return Entry;
    const auto *Member = dyn_cast<MemberExpr>(E);
    const auto *Op = dyn_cast<UnaryOperator>(E);
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    E = Member ? Member->getBase()
        : Op   ? Op->getSubExpr()
        : Ref  ? boundTo(*Ref->getDecl())
               : nullptr;
  }
  return {};
}

ElementNamed entryFilledBy(const Stmt &Store) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&Store);
  if (Call && Call->getNumArgs() == 2 && methodOfLibrary(*Call) == "insert_or_assign")
    return {Call->getImplicitObjectArgument(), Call->getArg(0)};
  for (const Expr *Target : targetsOf(Store))
    if (const ElementNamed Entry = entryAround(Target); Entry.Base)
      return Entry;
  return {};
}

bool KeySearch::isSame(const Expr *A, const Expr *B) const {
  if (!A || !B)
    return false;
  llvm::FoldingSetNodeID OfA, OfB;
  strip(A)->Profile(OfA, Context, /*Canonical=*/true);
  strip(B)->Profile(OfB, Context, /*Canonical=*/true);
  return OfA == OfB;
}

bool KeySearch::isSearch(const Expr *E) const {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(E ? strip(bare(E)) : nullptr);
  return Call && Call->getNumArgs() == 1 && methodOfLibrary(*Call) == "find" &&
         isOfContainer(Call->getImplicitObjectArgument()) && isSame(Call->getArg(0), Entry.Key);
}

const VarDecl *KeySearch::iterator(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(strip(bare(E)));
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->isLocalVarDecl() && isSearch(V->getInit()) ? V : nullptr;
}

std::optional<bool> KeySearch::answerOfCall(const CXXMemberCallExpr &Call) const {
  const llvm::StringRef Name = methodOfLibrary(Call);
  bool Asks = (Name == "count" || Name == "contains") && Call.getNumArgs() == 1 &&
              names({Call.getImplicitObjectArgument(), Call.getArg(0)});
  return Asks ? std::optional(true) : std::nullopt;
}

/// `all.count(key) == 0`, `all.count(key) > 0`.
std::optional<bool> KeySearch::answerOfNumber(const BinaryOperator &B) const {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(strip(B.getLHS()));
  const auto *Number = dyn_cast<IntegerLiteral>(strip(B.getRHS()));
  const bool Tells = B.isEqualityOp() || B.getOpcode() == BO_GT;
  if (!Call || !Number || !Number->getValue().isZero() || !Tells || !answerOfCall(*Call))
    return std::nullopt;
  return B.getOpcode() != BO_EQ;
}

std::optional<bool> KeySearch::answerIfFound(const Expr *E) const {
  E = behindName(E, Body);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    const auto Answer = answerIfFound(Not->getSubExpr());
    return Answer ? std::optional(!*Answer) : std::nullopt;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isLogicalOp())
    return answerIfFound(Op->getRHS()); // the last that was asked
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
    return answerOfCall(*Call);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    if (auto Answer = answerOfNumber(*B))
      return Answer;
  const Comparison Sides = equalityOf(*E);
  if (!Sides.Left)
    return std::nullopt;
  for (const auto &[One, Other] : {std::pair(Sides.Left, Sides.Right), {Sides.Right, Sides.Left}}) {
    const auto *End = dyn_cast<CXXMemberCallExpr>(strip(bare(Other)));
    if (End && methodOfLibrary(*End).ends_with("end") && (iterator(One) || isSearch(One)))
      return !Sides.IsEqual;
  }
  return std::nullopt;
}

} // namespace tensorleak
