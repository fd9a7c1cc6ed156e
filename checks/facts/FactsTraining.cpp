//===-- FactsTraining.cpp - Modules, optimizers, backward passes, grad mode ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/facts/leaves/LeafMembers.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- requires_grad -----------------------------------------------------===//

/// What was just made is no parameter, wherever it has been moved to.
bool FactsGenerator::isJustMade(ValueId V) const {
  while (V != NoId && Out->Values[V].Api.What == Does::Copy && !Out->Values[V].Inputs.empty())
    V = Out->Values[V].Inputs.front();
  return V != NoId && Out->Values[V].From == Source::Api &&
         (Out->Values[V].Api.What == Does::Create || Out->Values[V].Api.What == Does::Blob);
}

void FactsGenerator::switchGrad(const CallExpr &Call, ValueId V) {
  const PlaceId P = placeBehind(V);
  if (asksForGrad(Call, Model))
    emit(EventKind::LeafSelf, Call, P);
  else if (!isJustMade(V))
    emit(EventKind::Freeze, Call, P).Conditional = dependsOnName(Call);
}

/// `if (p.key() == "head.weight")`: one of several, by its name.
bool FactsGenerator::dependsOnName(const Stmt &At) const {
  auto ReadsName = [&](const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    auto Known = Callee ? Model.effectOf(*Callee) : std::nullopt;
    return Known && Known->What == Does::NameOf;
  };
  for (const Stmt *P = Parents->getParent(&At); P; P = Parents->getParent(P))
    if (const auto *If = dyn_cast<IfStmt>(P); If && mentions(If->getCond(), ReadsName))
      return true;
  return false;
}

//===-- What an optimizer is made with -------------------------------------===//

/// `weights`, a list of tensors or one.
static bool namesTensors(const Stmt &S, ApiModel &Model) {
  const auto *E = dyn_cast<Expr>(&S);
  if (!E || !isa<DeclRefExpr, MemberExpr>(E) || E->getType()->isFunctionType())
    return false;
  const CXXRecordDecl *Class = E->getType()->getAsCXXRecordDecl();
  return Model.isTensor(E->getType()) ||
         (Class && isLibraryContainer(*Class) &&
          llvm::any_of(typeArguments(*Class), [&](QualType T) { return Model.isTensor(T); }));
}

/// Whose parameters an optimizer is made with: every `x->parameters()` below, and every variable.
static void collectParameterCalls(const Stmt *S, ApiModel &Model,
                                  llvm::SmallVectorImpl<const Expr *> &Found) {
  if (!S)
    return;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      if (auto E = Model.effectOf(*Callee); E && E->What == Does::Parameters)
        Found.push_back(Call);
  if (namesTensors(*S, Model))
    Found.push_back(cast<Expr>(S));
  for (const Stmt *Child : S->children())
    collectParameterCalls(Child, Model, Found);
}

void FactsGenerator::bindParameters(PlaceId Optimizer, const Expr &Init, const Stmt &At) {
  llvm::SmallVector<const Expr *, 2> Calls;
  collectParameterCalls(&Init, Model, Calls);
  llvm::SmallVector<ValueId, 2> Given;
  for (const Expr *Each : Calls)
    if (ValueId V = operand(Each); V != NoId)
      Given.push_back(V);
  emit(EventKind::BindParams, At, Optimizer).Args = std::move(Given);
}

//===-- Modules -----------------------------------------------------------===//

/// `std::make_shared<Module>(x)`, `Module(std::move(x))`: what \p S makes is a copy of x, or has
/// one.
static bool copiesItsPart(const Stmt &S) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
    return Construct->getNumArgs() == 1;
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && !isa<CXXMethodDecl>(Callee))
    return Callee->isInStdNamespace();
  return isa<FullExpr, CastExpr, ParenExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(S);
}

/// What \p Taker gives its part \p Given to: a variable, what is assigned to, a container.
PlaceId FactsGenerator::placeGiven(const Stmt &Taker, const Stmt &Given) {
  if (const auto *Declares = dyn_cast<DeclStmt>(&Taker)) {
    for (const Decl *D : Declares->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && Variable->getInit() == &Given)
        return placeOfVar(*Variable);
  } else if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Taker)) {
    const CXXMethodDecl *Callee = Method->getMethodDecl();
    if (Callee && Callee->getParent()->isInStdNamespace())
      return placeOf(Method->getImplicitObjectArgument());
  } else if (const auto *Assigns = dyn_cast<CXXOperatorCallExpr>(&Taker)) {
    if (Assigns->getOperator() == OO_Equal && Assigns->getArg(1) == &Given)
      return placeOf(Assigns->getArg(0));
  }
  return NoId;
}

/// The member of which \p Part initializes something or all.
PlaceId FactsGenerator::placeInitializedBy(const Stmt &Part) {
  if (const auto *Makes = dyn_cast<CXXConstructorDecl>(Out->Function))
    for (const CXXCtorInitializer *Init : Makes->inits())
      if (Init->getAnyMember() && contains(Init->getInit(), &Part))
        return placeOfOwn(*Init->getAnyMember());
  return NoId;
}

/// `m = torch::jit::freeze(n)`: m, for n itself stays what it is. Where nobody takes the result,
/// n was meant; where it goes on to code that is not followed, it is not known.
PlaceId FactsGenerator::placeOfFrozen(const CallExpr &Freezes, const Expr *Self) {
  const Stmt *Part = &Freezes, *Whole = Parents->getParent(Part);
  auto IsFreeze = [this](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    auto Known =
        Call && Call->getDirectCallee() ? Model.effectOf(*Call->getDirectCallee()) : std::nullopt;
    return Known && Known->What == Does::Freeze;
  };
  while (Whole && (copiesItsPart(*Whole) || IsFreeze(*Whole)))
    Part = std::exchange(Whole, Parents->getParent(Whole));
  if (!Whole)
    return placeInitializedBy(*Part);
  return isa<Expr, DeclStmt, ReturnStmt>(Whole) ? placeGiven(*Whole, *Part) : placeOf(Self);
}

void FactsGenerator::applyModule(const CallExpr &Call, const Effect &E, Args Operands) {
  const Expr *Self = Operands.empty() ? nullptr : Operands.front();
  if (E.What == Does::Forward) {
    bool OnObject = Self && Model.classify(strip(Self)->getType()) == TypeClass::Module;
    emit(EventKind::Forward, Call, placeOf(Self));
    compute(Call, E, Operands.drop_front(OnObject));
    if (!Model.holdsTensors(Call.getType())) // in an object of the user's it is not followed
      for (ValueId V : tensorOperands(Operands.drop_front(OnObject)))
        emit(EventKind::Escape, Call, placeBehind(V), V);
    return;
  }
  if (E.What == Does::Register) {
    emit(EventKind::Register, Call, Self ? placeOf(Self) : NoId);
    if (Model.holdsTensors(Call.getType()))
      compute(Call, E, Operands);
    return;
  }
  if (E.What == Does::Freeze) {
    emit(EventKind::Freeze, Call, placeOfFrozen(Call, Self)).OfModule = true;
    return;
  }
  if (E.What != Does::Parameters) {
    emit(EventKind::EvalMode, Call, placeOf(Self));
    return;
  }
  Value V;
  V.From = Source::Api;
  V.Api = E;
  V.Loaded = placeOf(Self);
  emit(EventKind::Compute, Call, NoId, addValue(&Call, std::move(V)));
}

//===-- Backward passes and steps -----------------------------------------===//

/// The flag that an argument of a backward pass gives, wrapped in an optional or not; nothing
/// where that is no constant.
static std::optional<bool> flagOf(const Expr *Arg, const ASTContext &Context) {
  bool Value = false;
  const Expr *E = strip(Arg);
  if (const auto *Wrapped = dyn_cast<CXXConstructExpr>(E); Wrapped && Wrapped->getNumArgs() >= 1)
    E = strip(Wrapped->getArg(0));
  if (E->isValueDependent() || !E->EvaluateAsBooleanCondition(Value, Context))
    return std::nullopt;
  return Value;
}

static bool isTrue(const Expr *Arg, const ASTContext &Context) {
  return flagOf(Arg, Context).value_or(false);
}

/// grad(outputs, inputs, gradients, retain_graph, create_graph): what it returns has a graph only
/// where it is told to make one.
static GraphOut graphOfGradients(llvm::ArrayRef<const Expr *> Operands, const ASTContext &Context) {
  constexpr unsigned CreateGraph = 4;
  auto Creates = Operands.size() > CreateGraph ? flagOf(Operands[CreateGraph], Context) : false;
  return !Creates ? GraphOut::FromInputs : *Creates ? GraphOut::Yes : GraphOut::No;
}

/// backward(gradient, retain_graph, create_graph): the same places with the object
/// counted first and in torch::autograd::backward(tensors, gradients, ...).
void FactsGenerator::readBackwardFlags(Event &Backward, Args Operands) const {
  constexpr unsigned RetainGraph = 2, CreateGraph = 3;
  Backward.CreatesGraph = Operands.size() > CreateGraph && isTrue(Operands[CreateGraph], Context);
  Backward.RetainsGraph = Backward.CreatesGraph ||
                          (Operands.size() > RetainGraph && isTrue(Operands[RetainGraph], Context));
}

/// Backward passes, optimizers and the grad mode.
void FactsGenerator::applyTraining(const CallExpr &Call, const Effect &E, Args Operands) {
  const Expr *Self = Operands.empty() ? nullptr : Operands.front();
  switch (E.What) {
  case Does::StepParams:
    emit(EventKind::Step, Call, placeOf(Self));
    return;
  case Does::ResetGrad:
    emit(EventKind::ResetGrad, Call, placeOf(Self));
    return;
  case Does::SetGradMode: {
    bool On;
    bool Known = Self && !Self->isValueDependent() && Self->EvaluateAsBooleanCondition(On, Context);
    emit(EventKind::SetMode, Call).SetTo = !Known ? Mode::Either : On ? Mode::On : Mode::Off;
    return;
  }
  default: { // Does::Backward, Does::AutogradGrad
    ValueId Root = operand(Self);
    auto Values = tensorOperands(Operands);
    Event &Backward = emit(EventKind::Backward, Call, NoId, Root);
    Backward.Args = std::move(Values);
    if (E.What == Does::Backward)
      readBackwardFlags(Backward, Operands);
    if (E.What == Does::AutogradGrad)
      Out->Values[compute(Call, E, {})].Graph = graphOfGradients(Operands, Context);
  }
  }
}

/// A list of parameters is made anew by each call; they are the module's. A copy of a handle is the
/// same tensor.
PlaceId FactsGenerator::ownerOfParameters(PlaceId List) const {
  PlaceId Owner = List;
  for (const Event &E : Out->Events) {
    const Value *V = E.Kind == EventKind::Store && E.Val != NoId ? &Out->Values[E.Val] : nullptr;
    if (!V || E.Place != List)
      continue;
    const bool IsName = V->From == Source::Load || V->Api.What == Does::Parameters;
    Owner = E.Declares && IsName && V->Loaded != NoId ? V->Loaded : List;
  }
  return Owner;
}

/// What the lambda captures by copy lives as long as the hook.
void FactsGenerator::hangHook(const CallExpr &Call, Args Operands) {
  const ValueId Hooked = operand(Operands.front());
  Event &Hook = emit(EventKind::Hook, Call, ownerOfParameters(placeBehind(Hooked)), Hooked);
  const LambdaExpr *Lambda = Operands.size() > 1 ? lambdaIn(Operands[1]) : nullptr;
  if (!Lambda)
    return;
  auto Kept = copiedInto(*Lambda);
  Hook.Args.assign(Kept.begin(), Kept.end());
}

} // namespace tensorleak
