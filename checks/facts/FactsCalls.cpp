//===-- FactsCalls.cpp - Calls and constructions --------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/facts/leaves/LeafMembers.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Statements.h"
#include "checks/source/Types.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

/// A call's operands with the object first, as the API model counts them.
static llvm::SmallVector<const Expr *, 4> operandsOf(const CallExpr &Call, const Expr *Object) {
  llvm::SmallVector<const Expr *, 4> Operands;
  if (Object)
    Operands.push_back(Object);
  Operands.append(Call.arg_begin(), Call.arg_end());
  return Operands;
}

/// `(x = y).sum()`: an assignment is the value that it assigns.
void FactsGenerator::visitAssigned(const CXXOperatorCallExpr &Assign) {
  visitAssignment(Assign, Assign.getArg(0), Assign.getArg(1));
  if (const ValueId V = operand(Assign.getArg(1)); V != NoId)
    ExprValues[&Assign] = V;
}

void FactsGenerator::visitCall(const CallExpr &Call) {
  if (visitSpliced(Call))
    return;
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (const FunctionDecl *Body = Callee ? Targets.bodyOf(*Callee) : nullptr)
    Callee = Body;
  const Expr *Object = nullptr;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(&Call))
    Object = M->getImplicitObjectArgument();
  auto Operands = operandsOf(Call, Object);
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    if (Op->getOperator() == OO_Equal)
      return visitAssigned(*Op);
    if (isa_and_nonnull<CXXMethodDecl>(Callee))
      Object = Op->getArg(0);
    if (const auto *Body = Op->getOperator() == OO_Call ? lambdaBody(Op->getArg(0)) : nullptr)
      Callee = Body;
  }
  runLambdas(Call, Operands);
  const ValueId OfLambda = ExprValues.count(&Call) ? ExprValues[&Call] : NoId;
  if (makesBox(Call, Operands) || makesObject(Call, Operands))
    return;
  auto E = Callee ? Model.effectOf(*Callee) : std::nullopt;
  bool IsKnown = E && E->What != Does::Forward && Model.knowsByName(*Callee);
  // The operands that match the callee's parameters, without the object.
  Args Params = Args(Operands).drop_front(Object && !Operands.empty());
  if (!E && Callee && applyBodies(Call, *Callee, Params, Object))
    return;
  if (const Summary *S = IsKnown ? nullptr : summaryOf(Callee)) {
    applySummary(Call, *Callee, *S, Params, Object);
    addReturned(Call, OfLambda);
    // A forward() of the user's: the body knows better than the name where it runs under a
    // guard of its own, or returns what carries no graph.
    if (!E || E->What != Does::Forward || S->Returned == GraphOut::No)
      return;
  }
  if (E)
    return applyEffect(Call, *E, Operands);
  applyUnknown(Call, Operands, Object);
}

/// What a function that is given a lambda returns may be what the lambda did.
void FactsGenerator::addReturned(const CallExpr &Call, ValueId OfLambda) {
  if (OfLambda == NoId || !Model.holdsTensors(Call.getType()))
    return;
  Value Choice;
  Choice.From = Source::Group;
  Choice.Inputs.push_back(OfLambda);
  if (const ValueId Own = ExprValues[&Call]; Own != OfLambda)
    Choice.Inputs.push_back(Own);
  ExprValues[&Call] = addValue(&Call, std::move(Choice));
}

//===-- API calls ---------------------------------------------------------===//

ValueId FactsGenerator::compute(const Expr &E, const Effect &Api, Args Operands) {
  Value V;
  V.From = Source::Api;
  V.Api = Api;
  V.Inputs = tensorOperands(Operands);
  if (!Operands.empty()) {
    const Expr *Self = strip(Operands.front());
    V.SelfIsTemporary = isa<CallExpr>(Self) && placeOf(Self) == NoId;
  }
  bool MayBeLeaf = Api.What == Does::Create || Api.What == Does::RequireGrad || Api.has(GivesLeaf);
  V.Leaf = MayBeLeaf && asksForGrad(E, Model);
  ValueId Id = addValue(&E, std::move(V));
  emit(EventKind::Compute, E, NoId, Id);
  return Id;
}

const FactsGenerator::Handling FactsGenerator::Handlings[] = {
    {Does::Nothing, &FactsGenerator::applyNothing},
    {Does::NameOf, &FactsGenerator::applyNothing},
    {Does::TrainModule, &FactsGenerator::applyNothing},
    {Does::Grow, &FactsGenerator::applyContainer},
    {Does::GrowKeyed, &FactsGenerator::applyContainer},
    {Does::Shrink, &FactsGenerator::applyContainer},
    {Does::Element, &FactsGenerator::applyContainer},
    {Does::Configure, &FactsGenerator::configure},
    {Does::Forward1, &FactsGenerator::applyContainer},
    {Does::InPlace, &FactsGenerator::applyInPlace},
    {Does::Out, &FactsGenerator::applyInPlace},
    {Does::HostAlloc, &FactsGenerator::applyAllocation},
    {Does::HostFree, &FactsGenerator::applyAllocation},
    {Does::DetachSelf, &FactsGenerator::applyToSelf},
    {Does::RequireGrad, &FactsGenerator::applyToSelf},
    {Does::Drop, &FactsGenerator::applyToSelf},
    {Does::Hook, &FactsGenerator::applyToSelf},
    {Does::Unhook, &FactsGenerator::applyToSelf},
    {Does::Forward, &FactsGenerator::applyModule},
    {Does::Parameters, &FactsGenerator::applyModule},
    {Does::Freeze, &FactsGenerator::applyModule},
    {Does::EvalMode, &FactsGenerator::applyModule},
    {Does::Register, &FactsGenerator::applyModule},
    {Does::Backward, &FactsGenerator::applyTraining},
    {Does::AutogradGrad, &FactsGenerator::applyTraining},
    {Does::StepParams, &FactsGenerator::applyTraining},
    {Does::ResetGrad, &FactsGenerator::applyTraining},
    {Does::SetGradMode, &FactsGenerator::applyTraining},
    {Does::EmptyCache, &FactsGenerator::emptyCache},
};

/// What the table does not name makes a tensor.
void FactsGenerator::applyEffect(const CallExpr &Call, const Effect &E, Args Operands) {
  for (const Handling &H : Handlings)
    if (H.What == E.What)
      return (this->*H.Apply)(Call, E, Operands);
  compute(Call, E, Operands);
}

/// `std::copy(a.begin(), a.end(), std::back_inserter(b))`: no function has a say in what is added.
static bool addsWhatItReads(ApiModel &Model, llvm::ArrayRef<const Expr *> Operands) {
  return llvm::all_of(Operands, [&](const Expr *Arg) {
    const QualType Type = strip(Arg)->getType();
    return Type->isIntegerType() || Model.isTensorIterator(Type);
  });
}

/// Nothing but that what an algorithm of the library writes may come from what it reads, as
/// in `std::transform(a.begin(), a.end(), b.begin(), f)`.
void FactsGenerator::applyNothing(const CallExpr &Call, const Effect &, Args Operands) {
  handOverPointers(Call, Operands.drop_front(isa<CXXMemberCallExpr>(Call))); // p->item() keeps no p
  llvm::SmallVector<ValueId, 2> Read;
  for (const Expr *Arg : Operands) {
    bool IsIterator = Model.isTensorIterator(strip(Arg)->getType());
    PlaceId Written = IsIterator ? placeOf(Arg) : NoId;
    if (Written == NoId)
      continue;
    const bool Adds = isInserter(strip(Arg)->getType()) && addsWhatItReads(Model, Operands);
    for (ValueId V : Read)
      if (Out->Values[V].Loaded != Written)
        emit(Adds ? EventKind::Grow : EventKind::StoreWeak, Call, Written, V);
    Read.push_back(operand(Arg));
  }
}

/// Effects on the one tensor that is called.
void FactsGenerator::applyToSelf(const CallExpr &Call, const Effect &E, Args Operands) {
  const Expr *Self = Operands.empty() ? nullptr : Operands.front();
  switch (E.What) {
  case Does::DetachSelf:
    if (ValueId V = operand(Self); isGradient(V))
      emit(EventKind::CutGrad, Call, ownerOfGradient(V));
    else
      emit(EventKind::DetachSelf, Call, placeBehind(V));
    return;
  case Does::RequireGrad:
    compute(Call, E, Operands.take_front(1));
    return switchGrad(Call, operand(Self));
  case Does::Hook:
    return hangHook(Call, Operands);
  case Does::Unhook:
    emit(EventKind::Unhook, Call, placeBehind(operand(Self)));
    return;
  default: // Does::Drop
    if (ValueId V = operand(Self); isGradient(V))
      emit(EventKind::ResetGrad, Call, ownerOfGradient(V));
    else
      emit(EventKind::Drop, Call, placeOf(Self));
  }
}

/// A raw pointer that a library call takes may be owned by it from now on.
void FactsGenerator::handOverPointers(const Expr &At, Args Operands) {
  for (const Expr *Arg : Operands) {
    const Expr *E = strip(Arg);
    if (E->getType()->isPointerType() && isa<DeclRefExpr, MemberExpr>(E))
      if (PlaceId P = placeOf(E); P != NoId)
        emit(EventKind::Escape, At, P);
  }
}

/// \p Operands without positions and masks, which are of integers: LibTorch's derivatives.yaml
/// calls the parameters of these names non_differentiable.
static llvm::SmallVector<const Expr *, 4> handingOnGraphs(const CallExpr &Call,
                                                          llvm::ArrayRef<const Expr *> Operands) {
  llvm::SmallVector<const Expr *, 4> Out;
  const FunctionDecl *Callee = Call.getDirectCallee();
  for (unsigned I = 0; I < Operands.size(); ++I) {
    const unsigned Index = I - isa<CXXMemberCallExpr>(Call); // the object comes first
    const bool HasName = Callee && Index < Callee->getNumParams();
    llvm::StringRef Name = HasName ? Callee->getParamDecl(Index)->getName() : "";
    if (Name != "index" && Name != "indices" && Name != "mask")
      Out.push_back(Operands[I]);
  }
  return Out;
}

void FactsGenerator::applyInPlace(const CallExpr &Call, const Effect &E, Args All) {
  if (All.empty())
    return;
  const auto Operands = handingOnGraphs(Call, All);
  // out= functions write their first argument; everything else writes self.
  ValueId Self = operand(Operands.front());
  ValueId Result = compute(Call, E, Operands);
  if (isGradient(Self))
    return writeGradient(Call, E, Operands);
  PlaceId Written = placeBehind(Self);
  if (Written == NoId)
    return;
  Event &Write = emit(EventKind::Mutate, Call, Written, Result);
  Write.Args = tensorOperands(Args(Operands).drop_front());
}

void FactsGenerator::writeGradient(const CallExpr &Call, const Effect &E, Args Operands) {
  PlaceId Owner = ownerOfGradient(operand(Operands.front()));
  if (E.has(Zeroes))
    emit(EventKind::ResetGrad, Call, Owner).RetainsGraph = true;
  else
    emit(EventKind::GradStore, Call, Owner).Args = tensorOperands(Operands.drop_front());
}

/// clear() and the like; but resize() may be how it grows.
void FactsGenerator::shrink(const CallExpr &Call, const Effect &E, Args Operands) {
  if (isLengthened(Call))
    return grow(Call, E, Operands.take_front(1), NoId);
  const PlaceId P = placeOf(Operands.front());
  if (Context.hasSameUnqualifiedType(Call.getType(), strip(Operands.front())->getType()))
    ExprValues[&Call] = operand(Operands.front()); // std::exchange(x, {})
  emit(EventKind::Shrink, Call, P);
  for (ValueId V : tensorOperands(Operands.drop_front())) // assign(n, x), swap(other)
    emit(EventKind::StoreWeak, Call, P, V);
  emptyOther(Call, Operands);
}

void FactsGenerator::applyContainer(const CallExpr &Call, const Effect &E, Args Operands) {
  if (Operands.empty())
    return;
  const Expr *Self = Operands.front();
  PlaceId P = placeOf(Self);
  if (keepsFunctions(strip(Self)->getType()))
    return changeFunctions(Call, E, Operands);
  if (E.What == Does::Forward1 || E.What == Does::Element) {
    // std::move(x), std::get<1>(f(x)), f(x).toTensor(): the operand's value.
    if (P == NoId && (Operands.size() == 1 || E.What == Does::Element)) {
      if (ValueId V = operand(Self); V != NoId)
        ExprValues[&Call] = elementOf(Call, V);
    } else if (P == NoId || Operands.size() > 1) {
      if (E.What == Does::Forward1)
        group(Call);
    }
    return;
  }
  handOverPointers(Call, Operands.drop_front()); // also to what holds optimizers
  if (E.What == Does::Shrink && P == NoId)
    return emptyOther(Call, Operands);
  if (!Model.holdsTensors(strip(Self)->getType()) || P == NoId || fillBox(Call, E, Operands))
    return;
  if (E.What == Does::Shrink)
    return shrink(Call, E, Operands);
  auto Added = tensorOperands(Operands.drop_front());
  ValueId V = valueMadeInPlace(Call, Operands);
  if (V == NoId && !Added.empty()) {
    Value Whole;
    Whole.From = Source::Group;
    Whole.Inputs = Added;
    V = Out->Values.size();
    Whole.E = Operands.back();
    Out->Values.push_back(std::move(Whole));
  }
  grow(Call, E, Operands, V);
}

/// The options have the argument from now on, and so has the result.
void FactsGenerator::configure(const CallExpr &Call, const Effect &, Args Operands) {
  Value Whole;
  Whole.From = Source::Group;
  Whole.Inputs = tensorOperands(Operands);
  auto Set = tensorOperands(Operands.drop_front());
  if (PlaceId P = placeOf(Operands.front()); P != NoId)
    for (ValueId V : Set)
      emit(EventKind::StoreWeak, Call, P, V);
  if (!Whole.Inputs.empty())
    addValue(&Call, std::move(Whole));
}

void FactsGenerator::applyAllocation(const CallExpr &Call, const Effect &E, Args Operands) {
  if (E.What == Does::HostFree) {
    if (!Operands.empty())
      emit(EventKind::Free, Call, placeOf(Operands.front()));
    return;
  }
  ValueId V = compute(Call, E, {});
  if (E.has(OutParam) && !Operands.empty())
    if (PlaceId P = placeOf(Operands.front()); P != NoId)
      emit(EventKind::Store, Call, P, V);
}

/// In a handler it is the way to go on after an allocation that failed.
void FactsGenerator::emptyCache(const CallExpr &Call, const Effect &, Args) {
  bool Conditional = false;
  for (const Stmt *P = Parents->getParent(&Call); P; P = Parents->getParent(P)) {
    if (isa<CXXCatchStmt>(P))
      return;
    if (isLoop(*P))
      break;
    Conditional |= isa<IfStmt, SwitchStmt>(P);
  }
  emit(EventKind::EmptyCache, Call).Conditional = Conditional;
}

/// \p E names a list that gets an element in \p Body, the branch of a condition, too:
/// `if (keys.empty()) { keys.push_back(k); values.push_back(v); }`.
bool FactsGenerator::growsIn(const Stmt &Body, const Expr &E) {
  const PlaceId List = placeOf(&E);
  return mentions(&Body, [&](const Expr &Part) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&Part);
    const CXXMethodDecl *Callee = Call ? Call->getMethodDecl() : nullptr;
    auto Effect = Callee ? Model.effectOf(*Callee) : std::nullopt;
    return Effect && Effect->What == Does::Grow &&
           placeOf(Call->getImplicitObjectArgument()) == List;
  });
}

/// The condition \p E, or what it was named before: `const bool isFirst = list.empty();`.
static const Expr *conditionNamed(const Expr *E) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E ? strip(E) : nullptr);
  const auto *Name = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const bool IsFixed = Name && Name->isLocalVarDecl() && Name->getType().isConstQualified();
  return IsFixed && Name->getInit() ? Name->getInit() : E;
}

/// On what it depends whether, or how often, what is in \p S runs; null for other statements.
static const Expr *conditionOf(const Stmt &S) {
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return conditionNamed(If->getCond());
  if (const auto *While = dyn_cast<WhileStmt>(&S))
    return conditionNamed(While->getCond());
  const auto *For = dyn_cast<ForStmt>(&S);
  return For ? conditionNamed(For->getCond()) : nullptr;
}

bool FactsGenerator::isBoundedBySize(const Stmt &At, PlaceId Container) {
  const Stmt *Branch = &At;
  for (const Stmt *P = Parents->getParent(&At); P; P = Parents->getParent(P)) {
    const bool Bounds = mentions(conditionOf(*P), [&](const Expr &E) {
      return isa<DeclRefExpr, MemberExpr>(E) && Model.holdsTensors(E.getType()) &&
             (placeOf(&E) == Container || (isa<IfStmt>(P) && growsIn(*Branch, E)));
    });
    if (Bounds)
      return true;
    Branch = P;
  }
  return false;
}

} // namespace tensorleak
