//===-- StorageValues.cpp - Which memory a value may refer to -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Storages.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

Referred Referred::others() {
  Referred Out;
  Out.ToOthers = true;
  return Out;
}

/// A graph over the result may need the operands again.
bool Storages::mayKeepOperands(ValueId V) const { return F.State.Values[V].Carries > Graph::No; }

Referred Storages::ofInputs(const Value &V, const StorageState &Now) const {
  Referred Out;
  for (ValueId In : V.Inputs)
    Out.add(of(In, Now));
  return Out;
}

/// A layer of LibTorch's with parameters computes a new tensor; one without may hand its input
/// on, and a module of the user's may give anything.
Referred Storages::ofRun(ValueId V, const StorageState &Now) const {
  const Value &Val = Facts.Values[V];
  QualType Module;
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(Val.E))
    Module = Method->getImplicitObjectArgument()->getType();
  else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Val.E))
    Module = Op->getArg(0)->getType();
  ApiModel &Model = All.unit().model();
  bool OfLibTorch = !Module.isNull() && !Model.layerName(Module).empty();
  Referred Out;
  Out.ToOthers = !OfLibTorch;
  Out.add(V);
  if (mayKeepOperands(V) || !OfLibTorch || !Model.isLayer(Module))
    Out.add(ofInputs(Val, Now));
  return Out;
}

/// Views that show each element of their base once.
static bool showsAll(ShapeRule Rule) {
  switch (Rule) {
  case ShapeRule::Reshape:
  case ShapeRule::Flatten:
  case ShapeRule::Transpose:
  case ShapeRule::Permute:
  case ShapeRule::Squeeze:
  case ShapeRule::Unsqueeze:
    return true;
  default:
    return false;
  }
}

Referred Storages::ofApi(ValueId V, const StorageState &Now) const {
  const Value &Val = Facts.Values[V];
  switch (Val.Api.What) {
  case Does::Create:
  case Does::Compute:
  case Does::ComputeConst:
  case Does::Concat:
  case Does::Copy: {
    Referred Out;
    if (!isFresh(Val) || mayKeepOperands(V))
      Out = ofInputs(Val, Now);
    Out.add(V);
    return Out;
  }
  case Does::View: {
    Referred Out = ofInputs(Val, Now);
    Out.InPart |= !showsAll(Val.Api.Shape);
    return Out;
  }
  case Does::Detach:
  case Does::InPlace:
  case Does::Out:
  case Does::RequireGrad:
    return ofInputs(Val, Now);
  case Does::Forward:
    return ofRun(V, Now);
  default:
    return Referred::others();
  }
}

Referred Storages::ofCall(ValueId V, const StorageState &Now) const {
  const FunctionDecl *Callee = CalleeOf.lookup(V);
  const StorageSummary *S = Callee ? All.summaryOf(*Callee) : nullptr;
  if (!S)
    return Referred::others();
  Referred Out;
  Out.ToOthers = S->ReturnsOthers;
  Out.InPart = S->ReturnsInPart;
  if (S->ReturnsOwn)
    Out.add(V);
  if (S->ReturnsParameters || mayKeepOperands(V))
    Out.add(ofInputs(Facts.Values[V], Now));
  return Out;
}

Referred Storages::of(ValueId V, const StorageState &Now) const {
  if (V == NoId)
    return {};
  switch (Facts.Values[V].From) {
  case Source::Load:
    return held(Facts.Values[V].Loaded, Now);
  case Source::Group:
    return ofInputs(Facts.Values[V], Now);
  case Source::Api:
    return ofApi(V, Now);
  case Source::UserCall:
    return ofCall(V, Now);
  default:
    return Referred::others();
  }
}

//===-- Memory that is looked at without a tensor -----------------------------===//

/// The tensors that \p S names.
static void addNamed(const Stmt *S, ApiModel &Model, llvm::DenseSet<const ValueDecl *> &Into) {
  anyBelow(S, [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    if (Ref && Model.holdsTensors(Ref->getType()))
      Into.insert(Ref->getDecl());
    return false;
  });
}

/// An accessor, or what else may point into a tensor and is none.
static bool mayPointInto(QualType T, ApiModel &Model) {
  bool IsObject = T->isRecordType() && !T->getAsCXXRecordDecl()->isLambda();
  return (T->isPointerType() || IsObject) && !Model.holdsTensors(T) && !Model.isPlainData(T);
}

void addPointedInto(const Stmt *Body, ApiModel &Model, llvm::DenseSet<const ValueDecl *> &Into) {
  const Variables Names = pointersThatAreNames(*Body);
  anyBelow(Body, [&](const Stmt &S) {
    if (const auto *D = dyn_cast<DeclStmt>(&S))
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each);
            V && V->getInit() && mayPointInto(V->getType(), Model) && !Names.contains(V))
          addNamed(V->getInit(), Model, Into);
    if (const auto *B = dyn_cast<BinaryOperator>(&S);
        B && B->getOpcode() == BO_Assign && B->getType()->isPointerType())
      addNamed(B->getRHS(), Model, Into);
    if (isa<CXXCatchStmt>(S))
      addNamed(&S, Model, Into);
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    auto E = Callee ? Model.effectOf(*Callee) : std::nullopt;
    if (E && E->What == Does::Blob)
      addNamed(Call, Model, Into);
    return false;
  });
}

} // namespace tensorleak
