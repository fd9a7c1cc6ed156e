//===-- FactsSplices.cpp - Bodies of callees that stand in the graph ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/model/ClassNames.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

bool isDetachedInPart(const FunctionFacts &Facts, ValueId V) {
  if (V == NoId || Facts.Values[V].From != Source::Group || Facts.Values[V].Inputs.size() < 2)
    return false;
  return llvm::any_of(Facts.Values[V].Inputs, [&](ValueId In) {
    const Value &Part = Facts.Values[In];
    return Part.From == Source::Api && Part.Api.What == Does::Detach;
  });
}

/// The call \p Call has a body in the graph, or several; whether all that it does is there. It is
/// visited before the body and behind it.
bool FactsGenerator::visitSpliced(const CallExpr &Call) {
  const bool IsOnWay = OnWay.Call == &Call;
  if (IsOnWay && OnWay.What == Splicer::WayOfCall::Elsewhere)
    return false;
  if (IsOnWay && OnWay.What == Splicer::WayOfCall::Meeting) {
    meet(Call);
    return true;
  }
  auto It = IsOnWay ? Out->Splices.begin() + OnWay.Of
                    : llvm::find_if(Out->Splices, [&](const Splice &S) { return S.Call == &Call; });
  if (It == Out->Splices.end())
    return false;
  const SpliceId Id = It - Out->Splices.begin();
  Inside.resize(Out->Splices.size());
  if (!std::exchange(Inside[Id].IsEntered, true)) {
    enter(Id);
    return true;
  }
  if (!It->Repeats)
    leave(Id);
  return !It->Repeats;
}

void FactsGenerator::enter(SpliceId Id) {
  const Splice S = Out->Splices[Id];
  llvm::SmallVector<ValueId, 2> Arguments;
  for (const Expr *Arg : S.Operands)
    Arguments.push_back(operand(Arg));
  const auto *Method = dyn_cast<CXXMethodDecl>(S.Body);
  bool HasObject = Method && !Method->isStatic() && !Method->getParent()->isLambda();
  if (HasObject)
    Inside[Id].This = thisOfCallee(S, *Method);
  Inside[Id].Enter = Out->Events.size();
  Event &Enter = emit(EventKind::UserCall, *S.Call);
  Enter.Callee = S.Body;
  Enter.Args = std::move(Arguments);
  Enter.IsSpliced = true;
  for (const ParmVarDecl *Param : S.Body->parameters())
    giveTo(*Param, S);
}

/// An object that has no name is one of this call.
PlaceId FactsGenerator::thisOfCallee(const Splice &S, const CXXMethodDecl &Method) {
  if (PlaceId P = S.Object ? placeOf(S.Object) : NoId; P != NoId)
    return P;
  Out->DeclLoops[&Method] = loopOf(*S.Call);
  Place Unnamed{Place::Local, &Method, NoId};
  Unnamed.OfSplice = true;
  return Out->Places.intern(Unnamed);
}

/// A parameter that is another name for what it is given: a reference; or a handle that gets
/// no other value.
bool FactsGenerator::isNameOnly(const ParmVarDecl &Param) {
  const QualType T = Param.getType();
  if (T->isReferenceType())
    return true;
  TypeClass Class = Model.classify(T);
  bool IsHandle = T->isPointerType() || Class == TypeClass::Tensor || Class == TypeClass::Module ||
                  Class == TypeClass::Optimizer || sharedContainer(T);
  return IsHandle && !Reassigned.count(&Param);
}

void FactsGenerator::giveTo(const ParmVarDecl &Param, const Splice &S) {
  const Expr *Given = S.given(Param);
  Out->DeclLoops[&Param] = S.Repeats ? internLoop(*S.Call) : loopOf(*S.Call);
  PlaceId Target = Given && isNameOnly(Param) ? placeOf(Given) : NoId;
  if (Target != NoId) {
    Aliases[&Param] = Target;
    return;
  }
  if (!Given || (!Model.holdsTensors(Param.getType()) && !Param.getType()->isPointerType()))
    return;
  PlaceId P = placeOfVar(Param);
  ValueId V = operandOrUnknown(*Given);
  if (isGradient(V))
    GradientOf[P] = ownerOfGradient(V);
  emit(EventKind::Store, *S.Call, P, V).Declares = true;
}

/// To the call, and not to a caller of the function. What an algorithm of the library is given for
/// an element it writes behind its last iterator, as in
/// `std::transform(a.begin(), a.end(), std::back_inserter(b), f)`.
void FactsGenerator::returnTo(SpliceId Id, const ReturnStmt &R) {
  const ValueId V = R.getRetValue() ? operand(R.getRetValue()) : NoId;
  if (V == NoId)
    return;
  Inside[Id].Returned.push_back(V);
  const auto *Algorithm = dyn_cast<CallExpr>(Out->Splices[Id].Call);
  if (!Out->Splices[Id].Repeats || !Algorithm ||
      !Model.holdsTensors(Out->Splices[Id].Body->getReturnType()))
    return;
  const Expr *Last = nullptr;
  for (const Expr *Arg : Algorithm->arguments())
    if (Model.isTensorIterator(strip(Arg)->getType()))
      Last = strip(Arg);
  if (PlaceId P = Last ? placeOf(Last) : NoId; P != NoId)
    emit(isInserter(Last->getType()) ? EventKind::Grow : EventKind::StoreWeak, R, P, V);
}

/// What the call gives is what the body returns, on one of its ways.
void FactsGenerator::leave(SpliceId Id) {
  const Splice S = Out->Splices[Id];
  for (const ParmVarDecl *Param : S.Body->parameters())
    if (PlaceId Own = Out->Places.find(Param, NoId); Own != NoId)
      emit(EventKind::ScopeEnd, *S.Call, Own);
  const Summary *Known = summaryOf(S.Body);
  PlaceId P = Known ? placeReturned(*S.Body, *Known, S.Operands, S.Object) : NoId;
  if (P != NoId) {
    emit(EventKind::Use, *S.Call, P);
    return;
  }
  if (!Model.holdsTensors(S.Call->getType()))
    return;
  llvm::ArrayRef<ValueId> Returned = Inside[Id].Returned;
  Value Choice;
  bool IsKnown = !Returned.empty() &&
                 llvm::none_of(Returned, [&](ValueId V) { return isDetachedInPart(*Out, V); });
  Choice.From = IsKnown ? Source::Group : Source::Unknown;
  Choice.Inputs.assign(Returned.begin(), Returned.end());
  ValueId Result =
      IsKnown && Returned.size() == 1 ? Returned.front() : addValue(S.Call, std::move(Choice));
  Out->Events[Inside[Id].Enter].Result = Result;
  if (OnWay.Call == S.Call)
    Inside[Id].Result = Result;
  else
    ExprValues[S.Call] = Result;
}

/// Behind a call that may run several bodies: it gives what one of them returns.
void FactsGenerator::meet(const CallExpr &Call) {
  Value Choice;
  Choice.From = Source::Group;
  if (auto Elsewhere = ExprValues.find(&Call); Elsewhere != ExprValues.end())
    Choice.Inputs.push_back(Elsewhere->second);
  for (SpliceId Id = 0; Id < Inside.size(); ++Id)
    if (Out->Splices[Id].Call == &Call && Inside[Id].Result != NoId)
      Choice.Inputs.push_back(Inside[Id].Result);
  if (!Choice.Inputs.empty())
    ExprValues[&Call] = addValue(&Call, std::move(Choice));
}

/// The object that `this` means in the body at hand; a lambda's is that of the method that it
/// was written in.
PlaceId FactsGenerator::placeOfThis() {
  const DeclContext *Method = InBody == NoId ? Out->Function : Out->Splices[InBody].Body;
  const auto IsLambda = [](const DeclContext *D) {
    const auto *M = dyn_cast<CXXMethodDecl>(D);
    return M && M->getParent()->isLambda();
  };
  while (Method && IsLambda(Method) && Method != Out->Function)
    Method = Method->getParent()->getParent();
  for (SpliceId Id = 0; Id < Inside.size(); ++Id)
    if (Out->Splices[Id].Body == Method && Inside[Id].This != NoId)
      return Inside[Id].This;
  return Out->Places.intern({Place::This, nullptr, NoId});
}

bool FactsGenerator::isOfSplicedBody(const ValueDecl &V) const {
  return llvm::any_of(Out->Splices, [&](const Splice &S) { return S.Body == V.getDeclContext(); });
}

} // namespace tensorleak
