//===-- ResourceBranches.cpp - What a condition says of a pointer ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (!p)`, `if (p == nullptr)`: on the side where a pointer is null there is nothing to
// free. What else conditions say is seen by PathConditions.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/resources/facts/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {

void ResourceGenerator::refineComparison(const BinaryOperator &Op, Branch &B, bool Negated) {
  bool Equal = (Op.getOpcode() == BO_EQ) != Negated;
  const Expr *Tested = Op.getLHS(), *Other = Op.getRHS();
  if (isZeroOrNull(Context, *Tested))
    std::swap(Tested, Other);
  if (isZeroOrNull(Context, *Other))
    (Equal ? B.NullOnTrue : B.NullOnFalse) = operand(Tested);
}

/// `bool none = !p; if (none)`: the condition that was given a name just before, with nothing
/// stored since.
const Expr *ResourceGenerator::behindName(const Expr &E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  auto It = Ref ? Named.find(Ref->getDecl()) : Named.end();
  return It != Named.end() && It->second == Events->size()
             ? cast<VarDecl>(Ref->getDecl())->getInit()
             : nullptr;
}

/// `all.empty()`: what is no more among the elements of `all`.
PathId ResourceGenerator::elementsAskedFor(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || Method->getName() != "empty" ||
      !isContainer(Call->getObjectType()))
    return NoPath;
  const PathId All = pathOfObject(Call->getImplicitObjectArgument());
  return All == NoPath ? NoPath : Out->Paths.extend(All, Step::elem());
}

/// `if (o)`, `o.has_value()`: the optional that is asked whether it has an object; null for others.
static const Expr *optionalAsked(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  const bool Asks = Method && (isa<CXXConversionDecl>(Method) ||
                               (Method->getIdentifier() && Method->getName() == "has_value"));
  return Asks && isOptional(Call->getObjectType()) ? Call->getImplicitObjectArgument() : nullptr;
}

void ResourceGenerator::refine(const Expr &Condition, Branch &B, bool Negated) {
  const Expr *E = bare(&Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return refine(*Not->getSubExpr(), B, !Negated);
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isEqualityOp())
    return refineComparison(*Op, B, Negated);
  if (const Expr *Meant = behindName(*E))
    return refine(*Meant, B, Negated);
  if (PathId All = elementsAskedFor(*E); All != NoPath)
    return void((Negated ? B.NoneOnFalse : B.NoneOnTrue) = All);
  Operand &Null = Negated ? B.NullOnTrue : B.NullOnFalse;
  Null = operand(E);
  const Expr *Box = optionalAsked(*E);
  if (const PathId P = Box ? pathOf(Box) : NoPath; P != NoPath)
    forEachPart(P, Box->getType(), [&](PathId Part) { Null.push_back({Atom::Load, Part}); }, 0);
}

void ResourceGenerator::visitBranch(const CFGBlock &Block) {
  const Expr *Condition = Block.getLastCondition();
  if (!Condition || isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt()))
    return;
  Branch B;
  refine(*Condition, B, /*Negated=*/false);
  if (!B.NullOnTrue.empty() || !B.NullOnFalse.empty() || B.NoneOnTrue != NoPath ||
      B.NoneOnFalse != NoPath)
    Out->Branches[Block.getBlockID()] = std::move(B);
}

} // namespace tensorleak
