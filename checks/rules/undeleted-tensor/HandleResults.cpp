//===-- HandleResults.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/undeleted-tensor/HandleResults.h"

#include "checks/source/Expressions.h"

using namespace clang;

namespace tensorleak {
namespace {

/// An operator on tensors. Factories and what runs a module are called for their result.
bool isOperator(const Value &V) {
  if (V.From != Source::Api)
    return false;
  switch (V.Api.What) {
  case Does::Compute:
  case Does::ComputeConst:
  case Does::Concat:
  case Does::Copy:
  case Does::View:
  case Does::Detach:
  case Does::GradOf:
    return true;
  default:
    return false;
  }
}

class HandleResultSearch {
public:
  HandleResultSearch(Unit &U, const FunctionUnit &F)
      : U(U), Facts(*F.Facts), CallSites(F.CallSites) {}
  std::optional<HandleResult> run() const;

private:
  bool pointsToTensor(QualType T) const;
  bool isReadAsTensor(const ParmVarDecl &Param) const;
  const CXXNewExpr *newTensor(ValueId V) const;
  const CXXNewExpr *storedIn(PlaceId P) const;
  const CXXNewExpr *returnedTensor() const;

  Unit &U;
  const FunctionFacts &Facts;
  unsigned CallSites;
};

bool HandleResultSearch::pointsToTensor(QualType T) const {
  QualType Pointee = T->getPointeeType();
  return !Pointee.isNull() && U.model().classify(Pointee) == TypeClass::Tensor;
}

/// Declared as a pointer to a tensor, or cast to one.
bool HandleResultSearch::isReadAsTensor(const ParmVarDecl &Param) const {
  if (pointsToTensor(Param.getType()))
    return true;
  return mentions(Facts.Function->getBody(), [&](const Expr &E) {
    const auto *Cast = dyn_cast<ExplicitCastExpr>(&E);
    const auto *Ref = Cast ? dyn_cast<DeclRefExpr>(strip(Cast->getSubExpr())) : nullptr;
    return Ref && Ref->getDecl() == &Param && pointsToTensor(Cast->getType());
  });
}

const CXXNewExpr *HandleResultSearch::newTensor(ValueId V) const {
  if (V == NoId)
    return nullptr;
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load)
    return storedIn(Val.Loaded);
  const auto *New = Val.From == Source::New ? dyn_cast<CXXNewExpr>(Val.E) : nullptr;
  bool IsTensor = New && U.model().classify(New->getAllocatedType()) == TypeClass::Tensor;
  return IsTensor ? New : nullptr;
}

/// What the local pointer \p P is given; other pointers are not followed.
const CXXNewExpr *HandleResultSearch::storedIn(PlaceId P) const {
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Store && E.Place == P && E.Val != NoId &&
        Facts.Values[E.Val].From == Source::New)
      return newTensor(E.Val);
  return nullptr;
}

const CXXNewExpr *HandleResultSearch::returnedTensor() const {
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Return)
      if (const CXXNewExpr *New =
              E.Val == NoId && E.Place != NoId ? storedIn(E.Place) : newTensor(E.Val))
        return New;
  return nullptr;
}

std::optional<HandleResult> HandleResultSearch::run() const {
  const FunctionDecl &F = *Facts.Function;
  auto IsTensor = [&](const ParmVarDecl *Param) { return isReadAsTensor(*Param); };
  if (!F.isExternC() || CallSites || !F.getReturnType()->isPointerType() ||
      llvm::none_of(F.parameters(), IsTensor))
    return std::nullopt;
  HandleResult Result{&F, returnedTensor(), {}};
  for (const Value &V : Facts.Values)
    if (isOperator(V))
      Result.Computed.push_back(V.E);
  bool RunsModule =
      llvm::any_of(Facts.Events, [](const Event &E) { return E.Kind == EventKind::Forward; });
  if (!Result.New || Result.Computed.empty() || RunsModule)
    return std::nullopt;
  return Result;
}

bool deletesTensor(Unit &U, const FunctionFacts &Facts) {
  return Facts.Function->isExternC() && llvm::any_of(Facts.Events, [&](const Event &E) {
           const auto *Delete = dyn_cast_or_null<CXXDeleteExpr>(E.At);
           return E.Kind == EventKind::Free && Delete &&
                  U.model().classify(Delete->getDestroyedType()) == TypeClass::Tensor;
         });
}

} // namespace

std::vector<HandleResult> findHandleResults(Unit &U) {
  std::vector<HandleResult> Found;
  for (const FunctionUnit &F : U.functions())
    if (auto Result = HandleResultSearch(U, F).run())
      Found.push_back(*Result);
  llvm::sort(Found, [](const HandleResult &A, const HandleResult &B) {
    return A.New->getBeginLoc() < B.New->getBeginLoc();
  });
  return Found;
}

const FunctionDecl *findHandleDeleter(Unit &U) {
  for (const FunctionUnit &F : U.functions())
    if (F.Facts->Function->getNumParams() == 1 && deletesTensor(U, *F.Facts))
      return F.Facts->Function;
  return nullptr;
}

} // namespace tensorleak
