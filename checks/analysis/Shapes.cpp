//===-- Shapes.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/Shapes.h"

#include "checks/analysis/FactsGenerator.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/ExprMutationAnalyzer.h"

using namespace clang;

namespace tensorleak {

int64_t Shape::elements() const {
  int64_t N = 1;
  for (int64_t D : Dims)
    N *= D;
  return N;
}

unsigned Dtype::size() const {
  // c10/core/ScalarType.h: Byte, Char, Short, Int, Long, Half, Float, Double,
  // ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16.
  static constexpr unsigned Sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2};
  return Code >= 0 && Code < 16 ? Sizes[Code] : 0;
}

bool Dtype::isFloating() const { return (Code >= 5 && Code <= 10) || Code == 15; }

std::optional<int64_t> TensorType::bytes() const {
  if (!Dims || !Element.size())
    return std::nullopt;
  return Dims->elements() * Element.size();
}

std::optional<Shape> broadcast(const Shape &A, const Shape &B) {
  const Shape &Long = A.Dims.size() >= B.Dims.size() ? A : B;
  const Shape &Short = &Long == &A ? B : A;
  Shape Out = Long;
  size_t Shift = Long.Dims.size() - Short.Dims.size();
  for (size_t I = 0; I < Short.Dims.size(); ++I) {
    int64_t &D = Out.Dims[I + Shift], S = Short.Dims[I];
    if (D != S && D != 1 && S != 1)
      return std::nullopt;
    D = std::max(D, S);
  }
  return Out;
}

static bool isUnchanged(const VarDecl &V, const FunctionDecl &In) {
  if (V.getType().isConstQualified() || V.isConstexpr())
    return true;
  if (!V.isLocalVarDecl() || V.isStaticLocal() || !In.getBody())
    return false;
  ExprMutationAnalyzer Mutations(*In.getBody(), V.getASTContext());
  return !Mutations.isMutated(&V);
}

std::optional<int64_t> constantInt(const Expr *E, const FunctionDecl &In) {
  E = E ? strip(E) : nullptr;
  if (!E || E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  Expr::EvalResult Result;
  if (E->EvaluateAsInt(Result, In.getASTContext()))
    return Result.Val.getInt().getExtValue();
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    auto L = constantInt(B->getLHS(), In), R = constantInt(B->getRHS(), In);
    if (!L || !R)
      return std::nullopt;
    switch (B->getOpcode()) {
    case BO_Mul:
      return *L * *R;
    case BO_Add:
      return *L + *R;
    case BO_Sub:
      return *L - *R;
    case BO_Div:
      return *R ? std::optional<int64_t>(*L / *R) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!V || isa<ParmVarDecl>(V) || !V->getInit() || !isUnchanged(*V, In))
    return std::nullopt;
  return constantInt(V->getInit(), In);
}

/// The braces of `{2, 3}` inside what the compiler made of them.
static const InitListExpr *bracesIn(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return nullptr;
  if (const auto *List = dyn_cast<InitListExpr>(S))
    return List;
  for (const Stmt *Child : S->children())
    if (const InitListExpr *List = bracesIn(Child))
      return List;
  return nullptr;
}

static std::optional<Shape> shapeOfBraces(const Expr *Arg, const FunctionDecl &In) {
  const InitListExpr *List = bracesIn(Arg);
  if (!List || List->getNumInits() > 8)
    return std::nullopt;
  Shape Out;
  for (const Expr *Init : List->inits()) {
    auto D = constantInt(Init, In);
    if (!D || *D < 0)
      return std::nullopt;
    Out.Dims.push_back(*D);
  }
  return Out;
}

static bool isScalarType(QualType T) {
  const auto *Enum = T.getNonReferenceType()->getAs<EnumType>();
  return Enum && Enum->getDecl()->getName() == "ScalarType";
}

/// The dtype that any of the options below \p S names.
static std::optional<Dtype> dtypeIn(const Stmt *S, const ASTContext &Context) {
  if (!S)
    return std::nullopt;
  Expr::EvalResult Result;
  if (const auto *E = dyn_cast<Expr>(S); E && isScalarType(E->getType()) &&
                                         !E->isValueDependent() &&
                                         E->EvaluateAsInt(Result, Context))
    return Dtype{int(Result.Val.getInt().getExtValue())};
  for (const Stmt *Child : S->children())
    if (auto D = dtypeIn(Child, Context))
      return D;
  return std::nullopt;
}

TensorType typeOfFactory(const CallExpr &Call, const Effect &E, const FunctionDecl &In,
                         const TensorType *Self) {
  TensorType Out;
  if (E.has(LikeSelf) && Self)
    Out = *Self;
  else if (E.has(ShapeArg) && Call.getNumArgs() > 0)
    Out.Dims = shapeOfBraces(Call.getArg(0), In);
  bool KnownDefault = E.has(ShapeArg);
  if (auto D = dtypeIn(&Call, In.getASTContext()))
    Out.Element = *D;
  else if (KnownDefault)
    Out.Element = Dtype{Dtype::Float};
  return Out;
}

static std::optional<Shape> matmulShape(llvm::ArrayRef<TensorType> Inputs) {
  if (Inputs.size() < 2 || !Inputs[0].Dims || !Inputs[1].Dims)
    return std::nullopt;
  const Shape &A = *Inputs[0].Dims, &B = *Inputs[1].Dims;
  if (A.Dims.size() != 2 || B.Dims.size() != 2 || A.Dims[1] != B.Dims[0])
    return std::nullopt;
  return Shape{{A.Dims[0], B.Dims[1]}};
}

static TensorType elementwiseType(llvm::ArrayRef<TensorType> Inputs) {
  TensorType Out = Inputs[0];
  for (const TensorType &In : Inputs.drop_front()) {
    bool Known = Out.Dims && In.Dims;
    Out.Dims = Known ? broadcast(*Out.Dims, *In.Dims) : std::nullopt;
    if (!(Out.Element == In.Element))
      Out.Element = Dtype();
  }
  return Out;
}

TensorType typeOfResult(const Effect &E, llvm::ArrayRef<TensorType> Inputs, const CallExpr *Call,
                        const FunctionDecl &In) {
  TensorType Out;
  if (Inputs.empty())
    return Out;
  if (E.has(MatMul)) {
    Out.Dims = matmulShape(Inputs);
    Out.Element = Inputs[0].Element;
  } else if (E.has(Elementwise)) {
    Out = elementwiseType(Inputs);
  } else if (E.has(LikeSelf)) {
    Out = Inputs[0];
    if (auto D = Call ? dtypeIn(Call, In.getASTContext()) : std::nullopt)
      Out.Element = *D;
  } else if (E.has(Transposes)) {
    Out = Inputs[0];
    if (Out.Dims && Out.Dims->Dims.size() == 2)
      std::swap(Out.Dims->Dims[0], Out.Dims->Dims[1]);
    else
      Out.Dims.reset();
  } else if (E.has(DropsDim)) {
    Out = Inputs[0];
    if (Out.Dims && !Out.Dims->Dims.empty())
      Out.Dims->Dims.erase(Out.Dims->Dims.begin());
  } else if (E.has(ScalarResult)) {
    Out.Element = Inputs[0].Element;
  }
  return Out;
}

} // namespace tensorleak
