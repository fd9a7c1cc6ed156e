//===-- Keys.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/parts/Keys.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class KeyReader {
public:
  KeyReader(const FunctionFacts &Facts, LoopId L) : Facts(Facts), L(L) {}

  bool varies(const Expr &Key) {
    return mentions(&Key, [this](const Expr &E) { return variesAt(E); });
  }

private:
  bool variesAt(const Expr &E);
  bool isOfRounds(const VarDecl &V) const;
  bool isChanged(const ValueDecl &D) const;
  bool isGivenWhatVaries(const ParmVarDecl &Param);

  const FunctionFacts &Facts;
  const LoopId L;
  llvm::SmallPtrSet<const VarDecl *, 4> Seen;
};

/// What \p S gives another value, or may: `x = y`, `++x`.
const Expr *changedBy(const Stmt &S) {
  if (const auto *Set = dyn_cast<BinaryOperator>(&S))
    return Set->isAssignmentOp() ? Set->getLHS() : nullptr;
  const auto *Op = dyn_cast<UnaryOperator>(&S);
  return Op && Op->isIncrementDecrementOp() ? Op->getSubExpr() : nullptr;
}

/// Something in the function changes the variable or member \p D.
bool KeyReader::isChanged(const ValueDecl &D) const {
  return llvm::any_of(Facts.bodies(), [&](const Stmt *Body) {
    return anyBelow(Body, [&](const Stmt &S) {
      const Expr *Target = changedBy(S);
      return Target && variableOrMember(Target) == &D;
    });
  });
}

/// It says which round it is.
bool KeyReader::isOfRounds(const VarDecl &V) const {
  if (L == NoId)
    return false;
  const Stmt &Rounds = *Facts.Loops[L].S;
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Rounds);
  return Range ? Range->getLoopVariable() == &V : counterOf(Rounds) == &V;
}

/// A parameter of a body that runs here, or of the function itself: callers may give it anything.
bool KeyReader::isGivenWhatVaries(const ParmVarDecl &Param) {
  return (L == NoId && Param.getDeclContext() == Facts.Function) ||
         llvm::any_of(Facts.Splices, [&](const Splice &S) {
           const Expr *Given = S.given(Param);
           return Given && varies(*Given);
         });
}

bool KeyReader::variesAt(const Expr &E) {
  if (const FieldDecl *Member = memberOfThis(&E))
    return isChanged(*Member);
  const VarDecl *V = variableRead(E);
  if (!V || !Seen.insert(V).second)
    return false;
  if (isOfRounds(*V))
    return true;
  if (const auto *Param = dyn_cast<ParmVarDecl>(V); Param && isGivenWhatVaries(*Param))
    return true;
  if (isOfRound(Facts, *V, L))
    return V->getInit() && varies(*V->getInit());
  return !V->getType().isConstQualified() &&
         !(V->getType().getNonReferenceType()->isScalarType() && !isChanged(*V));
}

} // namespace

bool mayNameAnother(const FunctionFacts &Facts, const Expr &Key, LoopId L) {
  return KeyReader(Facts, L).varies(Key);
}

} // namespace tensorleak
