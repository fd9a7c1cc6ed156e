//===-- ResourceConstructs.cpp - Constructors, and what owners are given ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/calls/Deleters.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"

using namespace clang;

namespace tensorleak {

bool doesNothing(const Expr &Function) {
  const Expr *E = bare(&Function);
  const auto *Lambda = dyn_cast<LambdaExpr>(E);
  const FunctionDecl *Named = dyn_cast_or_null<FunctionDecl>(variableOrMember(E));
  const FunctionDecl *Body = nullptr;
  if (Lambda)
    Body = Lambda->getCallOperator();
  else if (!Named || !Named->hasBody(Body))
    return false;
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body->getBody());
  return Block && Block->body_empty();
}

/// `std::shared_ptr<T>(p, [](T *) {})`: another name of p, which owns nothing.
static bool ownsNothing(const CXXConstructExpr &C) {
  return isOwningPointer(C.getType()) && C.getNumArgs() > 1 && doesNothing(*C.getArg(1));
}

/// The pointer that an owner is made from; null for others. \p C may be of code that is half typed.
static const Expr *pointerGiven(const CXXConstructExpr &C) {
  const Expr *Given = C.getNumArgs() ? bare(C.getArg(0)) : nullptr;
  const QualType Type = Given ? Given->getType() : QualType();
  return !Type.isNull() && Type->isPointerType() && isOwningPointer(C.getType()) ? Given : nullptr;
}

bool deletesByDefault(const CXXConstructExpr &Owner) {
  if (!pointerGiven(Owner) ||
      llvm::any_of(llvm::drop_begin(Owner.arguments()),
                   [](const Expr *Arg) { return !isa<CXXDefaultArgExpr>(Arg); }))
    return false;
  const auto Types = typeArguments(*Owner.getConstructor()->getParent());
  const CXXRecordDecl *Deleter = Types.size() > 1 ? Types[1]->getAsCXXRecordDecl() : nullptr;
  return Types.size() < 2 || (Deleter && Deleter->isInStdNamespace());
}

/// What the end of `std::unique_ptr<float[]>(p)` and of `std::shared_ptr<float>(p, free)` can give
/// back; nothing where that is not known, or may be an object with a destructor.
FamilySet ResourceGenerator::acceptedByOwner(const CXXConstructExpr &C) const {
  const Expr *Given = pointerGiven(C);
  if (!Given || !Given->getType()->getPointeeType()->isArithmeticType())
    return 0;
  if (deletesByDefault(C))
    return hostFamilies();
  const auto *Deleter = C.getNumArgs() > 1 ? variableOrMember(bare(C.getArg(1))) : nullptr;
  const auto *Called = dyn_cast_or_null<FunctionDecl>(Deleter);
  const auto Effects = Called ? Model.effectsOf(*Called) : llvm::ArrayRef<ResourceEffect>();
  return Effects.size() == 1 && Effects.front().What == ResourceEffect::Free
             ? Effects.front().Accepts
             : 0;
}

void ResourceGenerator::visitConstruct(const CXXConstructExpr &C) {
  const CXXConstructorDecl &Constructor = *C.getConstructor();
  auto Target = Targets.find(&C);
  PathId Object = Target == Targets.end() ? NoPath : Target->second;
  if (Object != NoPath && Out->Paths.variable(Object))
    declare(Object, C);
  if (Constructor.isCopyOrMoveConstructor() || ownsNothing(C))
    return;
  llvm::ArrayRef<const Expr *> Arguments(C.getArgs(), C.getNumArgs());
  for (const Expr *Arg : Arguments)
    passLambda(C, *Arg);
  if (Target != Targets.end() && (makesFollowedBox(C) || listedElements(C)))
    return; // see fillBox() and assignElements()
  if (const ResourceSummary *Known = summaryOf(Constructor))
    return applySummary({C, &C, Constructor, Arguments, Object}, *Known);
  if (FamilySet Accepts = acceptedByOwner(C)) {
    ResourceEvent &Freed = emit(ResourceEventKind::Release, C);
    Freed.Value = operand(C.getArg(0));
    Freed.Accepts = Accepts;
  }
  const bool OnlyUses = Model.onlyUses(Constructor) && isForeign(&Constructor);
  if (!OnlyUses && !Model.isPointer(C.getType())) // which is another name of what it is made from
    applyUnknown(C, &Constructor, Arguments);
  mayLeave(C, &Constructor);
}

} // namespace tensorleak
