//===-- OpDtypes.cpp - The element types of results ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/OpShapes.h"

#include "checks/Budgets.h"
#include "checks/model/arguments/ArgumentTypes.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static bool isOptions(const Expr &E) {
  return argumentType(E.getType()) == ArgumentType::TensorOptions;
}

/// What options say of the dtype: nothing, one, or something that is not known.
struct NamedDtype {
  bool IsNamed = false;
  Dtype Element;
};

static NamedDtype dtypeIn(const Stmt *S, SizeReader &Reader, unsigned Depth = 0) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (!S || isOver(Budget::NestedOptions, Depth) || (E && Reader.model().isTensor(E->getType())))
    return {};
  Expr::EvalResult Result;
  if (E && argumentType(E->getType()) == ArgumentType::ScalarType) {
    bool IsKnown = !E->isValueDependent() && E->EvaluateAsInt(Result, Reader.context());
    return {true, IsKnown ? Dtype{int(Result.Val.getInt().getExtValue())} : Dtype()};
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && isOptions(*Ref)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    bool Local = V && !isa<ParmVarDecl>(V) && V->getInit();
    return Local ? dtypeIn(V->getInit(), Reader, Depth + 1) : NamedDtype{true, {}};
  }
  if (isa<MemberExpr>(S) && E && isOptions(*E))
    return {true, {}};
  for (const Stmt *Child : S->children())
    if (NamedDtype Found = dtypeIn(Child, Reader, Depth + 1); Found.IsNamed)
      return Found;
  return {};
}

/// `x.options()`, or anything else of a tensor that options are made from.
static bool takesOptionsOfTensor(const Stmt *S, ApiModel &Model) {
  if (const auto *Method = dyn_cast_or_null<CXXMemberCallExpr>(S))
    if (isOptions(*Method) && Model.isTensor(Method->getImplicitObjectArgument()->getType()))
      return true;
  return S && llvm::any_of(S->children(),
                           [&](const Stmt *Child) { return takesOptionsOfTensor(Child, Model); });
}

static Dtype dtypeOfNumber(QualType T) {
  if (T->isBooleanType())
    return {Dtype::Bool};
  if (T->isIntegerType())
    return {Dtype::Long};
  return T->isFloatingType() ? Dtype{Dtype::Float} : Dtype();
}

/// The first of what is written in braces, or all of it.
static const Expr *firstNumber(const Expr &Data) {
  const Expr *Entry = &Data;
  while (const InitListExpr *List = bracesIn(Entry)) {
    if (!List->getNumInits())
      break;
    Entry = List->getInit(0);
  }
  return unwrap(Entry);
}

static NamedDtype dtypeInArguments(const CallExpr &Call, SizeReader &Reader) {
  for (const Expr *Arg : Call.arguments())
    if (NamedDtype Found = dtypeIn(Arg, Reader); Found.IsNamed)
      return Found;
  return {};
}

Dtype OpShapes::dtypeOfFactory(Tensors Inputs) {
  if (NamedDtype Found = dtypeInArguments(*Call, Reader); Found.IsNamed)
    return Found.Element;
  if (takesOptionsOfTensor(Call, Reader.model()))
    return {};
  if (!Inputs.empty()) // x.new_zeros(...), zeros_like(x)
    return Inputs.front().Element;
  if (const Expr *Fill = given("fill_value"))
    return dtypeOfNumber(unwrap(Fill)->getType());
  if (const Expr *Data = given("tensor_data_container"))
    return dtypeOfNumber(firstNumber(*Data)->getType());
  if (const Expr *End = given("end"); End && !given("steps"))
    return dtypeOfNumber(unwrap(End)->getType());
  bool OfIntegers = hasParameter("high") || hasParameter("n");
  return {OfIntegers ? Dtype::Long : Dtype::Float};
}

static bool hasFloatingScalar(const CallExpr &Call) {
  return llvm::any_of(Call.arguments(),
                      [](const Expr *Arg) { return unwrap(Arg)->getType()->isFloatingType(); });
}

/// Of what `where(condition, x, y)` chooses from; the condition is no part of the result.
static llvm::SmallVector<TensorType, 4> chosenFrom(llvm::ArrayRef<TensorType> Inputs) {
  llvm::SmallVector<TensorType, 4> Chosen;
  for (const TensorType &In : Inputs)
    if (!(In.Element == Dtype{Dtype::Bool}))
      Chosen.push_back(In);
  return Chosen;
}

Dtype commonDtype(llvm::ArrayRef<TensorType> Inputs) {
  Dtype Out = Inputs.front().Element;
  for (const TensorType &In : Inputs.drop_front())
    if (!(In.Element == Out))
      return {};
  return Out;
}

Dtype OpShapes::dtypeOf(const Effect &E, Tensors Inputs) {
  if (E.What == Does::Create || E.What == Does::Blob)
    return dtypeOfFactory(Inputs);
  if (NamedDtype Found = dtypeInArguments(*Call, Reader); Found.IsNamed)
    return Found.Element;
  bool OfAnother = E.What == Does::Copy && // x.to(y), x.to(y.options())
                   (Inputs.size() > 1 || llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
                      return takesOptionsOfTensor(Arg, Reader.model());
                    }));
  // What an expanded view shows is no memory of its own.
  if (Inputs.empty() || OfAnother || E.Shape == ShapeRule::Expand)
    return {};
  if (E.What == Does::ComputeConst)
    return E.Shape == ShapeRule::Broadcast ? Dtype{Dtype::Bool} : Dtype();
  bool IsSelf = E.Shape != ShapeRule::Broadcast && E.Shape != ShapeRule::MatMul;
  if (auto Chosen = chosenFrom(Inputs); !Chosen.empty() && hasParameter("condition"))
    return commonDtype(Chosen);
  Dtype Out = IsSelf ? Inputs.front().Element : commonDtype(Inputs);
  if (!Out.size() || Out.isFloating())
    return Out;
  if (E.Shape == ShapeRule::Reduce)
    return {}; // sums of integers have more room
  bool BecomesFloat = E.has(Floating) || (E.has(Elementwise) && hasFloatingScalar(*Call));
  return BecomesFloat ? Dtype{Dtype::Float} : Out;
}

} // namespace tensorleak
