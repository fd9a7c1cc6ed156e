//===-- FactsGenerator.cpp - Statements -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"

using namespace clang;

namespace tensorleak {

namespace {

/// Variables that get another value after their initialization, in one function.
class ReassignedVariables : public RecursiveASTVisitor<ReassignedVariables> {
public:
  explicit ReassignedVariables(llvm::DenseSet<const ValueDecl *> &Found) : Found(Found) {}
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      add(B->getLHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) {
    if (Call->getOperator() == OO_Equal)
      add(Call->getArg(0));
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf)
      add(U->getSubExpr());
    return true;
  }

private:
  void add(const Expr *E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(strip(E)))
      Found.insert(Ref->getDecl());
  }
  llvm::DenseSet<const ValueDecl *> &Found;
};

} // namespace

std::unique_ptr<FunctionFacts> FactsGenerator::generate(const FunctionDecl &F) {
  auto Facts = std::make_unique<FunctionFacts>();
  Facts->Function = &F;
  auto Own = graphOf(F);
  if (!Own || isOver(Budget::Blocks, Own->size()))
    return nullptr;
  Out = Facts.get();
  Parents = std::make_unique<Surroundings>(F.getBody());
  Splicer Splices(Model, Summaries, Targets, *Parents, *Facts);
  Splices.run(std::move(Own));
  ExprValues.clear();
  Aliases.clear();
  GradientOf.clear();
  LoopIds.clear();
  Reassigned.clear();
  Inside.clear();
  for (Stmt *Body : Out->bodies())
    ReassignedVariables(Reassigned).TraverseStmt(Body);
  Out->Blocks.resize(Out->Cfg->getNumBlockIDs());
  PostOrderCFGView Order(Out->Cfg.get());
  for (const CFGBlock *Block : Order) {
    BlockRange &Range = Out->Blocks[Block->getBlockID()];
    FirstOfBlock = Range.Begin = Out->Events.size();
    InBody = Splices.bodyOfBlock()[Block->getBlockID()];
    OnWay = Splices.wayOfBlock(Block->getBlockID());
    for (const CFGElement &Element : *Block)
      visitElement(Element);
    Range.End = Out->Events.size();
  }
  Facts->indexEvents();
  return Facts;
}

void FactsGenerator::visitElement(const CFGElement &Element) {
  if (auto S = Element.getAs<CFGStmt>())
    return visitStmt(*S->getStmt());
  if (auto Init = Element.getAs<CFGInitializer>())
    return visitInitializer(*Init->getInitializer());
  auto Dtor = Element.getAs<CFGAutomaticObjDtor>();
  if (!Dtor)
    return;
  const VarDecl *V = Dtor->getVarDecl();
  if (Aliases.count(V)) // a parameter that is another name
    return;
  bool IsGuard = Model.guardOf(V->getType()) != Guard::None;
  emit(IsGuard ? EventKind::PopMode : EventKind::ScopeEnd, *Dtor->getTriggerStmt(), placeOfVar(*V));
}

void FactsGenerator::visitStmt(const Stmt &S) {
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        visitVar(*V, S);
    return;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(&S))
    return visitReturn(*R);
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    return visitCall(*Call);
  if (const auto *C = dyn_cast<CXXConstructExpr>(&S))
    return visitConstruct(*C);
  if (const auto *N = dyn_cast<CXXNewExpr>(&S))
    return visitNew(*N);
  if (const auto *D = dyn_cast<CXXDeleteExpr>(&S)) {
    emit(EventKind::Free, S, placeOf(D->getArgument()));
    return;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(&S); B && B->getOpcode() == BO_Assign)
    return visitAssignment(*B, B->getLHS(), B->getRHS());
  if (const auto *E = dyn_cast<Expr>(&S); E && E->containsErrors())
    visitBroken(*E);
  if (isa<DeclRefExpr, MemberExpr>(S))
    visitUse(cast<Expr>(S));
}

/// What the compiler could not make sense of, but whose parts it has kept.
void FactsGenerator::visitBroken(const Expr &E) {
  for (const Stmt *Child : E.children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      letGo(*Part, E);
}

void FactsGenerator::letGo(const Expr &Part, const Stmt &At) {
  if (ValueId V = operand(&Part); V != NoId)
    emit(EventKind::Escape, At, placeBehind(V), V);
  if (PlaceId P = placeOf(&Part); P != NoId)
    emit(EventKind::Unknown, At, P);
}

void FactsGenerator::visitUse(const Expr &E) {
  if (Model.holdsTensors(E.getType()))
    if (PlaceId P = placeOf(&E); P != NoId)
      emit(EventKind::Use, E, P);
}

//===-- Declarations ------------------------------------------------------===//

/// Whether \p Init is a call that does \p What.
static bool isCallThat(Does What, ApiModel &Model, const Expr *Init) {
  const auto *Call = dyn_cast_or_null<CallExpr>(strip(Init));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  auto E = Callee ? Model.effectOf(*Callee) : std::nullopt;
  return E && E->What == What;
}

/// An iterator or pointer into a container, and a pointer that always points to one object.
bool FactsGenerator::isAlias(const VarDecl &V) {
  if (V.getType()->isPointerType())
    return !V.hasGlobalStorage() && !Reassigned.count(&V);
  return !Model.holdsTensors(V.getType()) && isCallThat(Does::Element, Model, V.getInit());
}

void FactsGenerator::visitVar(const VarDecl &V, const Stmt &S) {
  Out->DeclLoops[&V] = V.isStaticLocal() ? NoId : loopOf(S);
  if (Model.guardOf(V.getType()) != Guard::None)
    return visitGuard(V, S);
  const Expr *Init = V.getInit();
  if (Init && Init->containsErrors())
    letGo(*Init, S);
  if (const auto *D = dyn_cast<DecompositionDecl>(&V); D && Init)
    return visitBindings(*D, S);
  bool Refers = V.getType()->isReferenceType() || isAlias(V);
  if (PlaceId Target = Refers && Init ? placeOf(Init) : NoId; Target != NoId) {
    Aliases[&V] = Target;
    return;
  }
  PlaceId P = placeOfVar(V);
  if (Init && Model.classify(V.getType()) == TypeClass::Optimizer)
    bindParameters(P, *Init, S);
  if (isCallThat(Does::LoadModule, Model, Init))
    emit(EventKind::LoadModule, S, P);
  if (!Model.holdsTensors(V.getType()) && !V.getType()->isPointerType())
    return;
  if (V.isStaticLocal() && loopOf(S) != NoId)
    return; // only the first round gives it what it begins with
  if (const auto *List = Init ? dyn_cast<InitListExpr>(strip(Init)) : nullptr;
      List && V.getType()->isRecordType())
    return storeFields(P, *List, S);
  if (Init && storeMembers(P, *Init, S))
    return;
  ValueId Value = Init ? operandOrUnknown(*Init) : NoId;
  if (isGradient(Value))
    GradientOf[P] = ownerOfGradient(Value);
  emit(EventKind::Store, S, P, Value).Declares = true;
}

void FactsGenerator::visitBindings(const DecompositionDecl &D, const Stmt &S) {
  ValueId Whole = operand(D.getInit());
  PlaceId Target = D.getType()->isReferenceType() ? placeOf(D.getInit()) : NoId;
  for (const auto &[Index, B] : llvm::enumerate(D.bindings())) {
    Out->DeclLoops[B] = loopOf(S);
    if (Target != NoId) {
      Aliases[B] = Target;
    } else if (Model.holdsTensors(B->getType())) {
      ValueId Own = partOf(Whole, Index, S);
      Event &Store = emit(EventKind::Store, S, placeOfVar(*B), Own);
      Store.Declares = true;
      Store.Part = Own == Whole ? int(Index) : -1;
    }
  }
}

static std::optional<bool> constantBool(const Expr *E, const ASTContext &Context) {
  bool Value;
  if (E && !E->isValueDependent() && E->EvaluateAsBooleanCondition(Value, Context))
    return Value;
  return std::nullopt;
}

/// The first argument that a guard's constructor is given, or null.
static const Expr *guardArgument(const Expr *Init) {
  const auto *C = dyn_cast_or_null<CXXConstructExpr>(strip(Init));
  return C && C->getNumArgs() > 0 ? C->getArg(0) : nullptr;
}

void FactsGenerator::visitGuard(const VarDecl &V, const Stmt &S) {
  Guard G = Model.guardOf(V.getType());
  bool IsWrapped = Model.classify(V.getType()) == TypeClass::Guard &&
                   isa_and_nonnull<CXXConstructExpr>(strip(V.getInit())) &&
                   V.getType()->getAsCXXRecordDecl()->isInStdNamespace();
  Mode M = Mode::Off;
  if (IsWrapped) // an empty optional or pointer: filled later, or not
    M = Mode::Either;
  else if (G == Guard::FromArg || G == Guard::InferenceFromArg) {
    auto Enabled = constantBool(guardArgument(V.getInit()), Context);
    if (!Enabled && G == Guard::InferenceFromArg && !guardArgument(V.getInit()))
      Enabled = true;
    bool TurnsOn = Enabled && (*Enabled == (G == Guard::FromArg));
    M = !Enabled ? Mode::Either : TurnsOn ? Mode::On : Mode::Off;
  }
  emit(EventKind::PushMode, S, placeOfVar(V)).SetTo = M;
}

void FactsGenerator::visitInitializer(const CXXCtorInitializer &Init) {
  const FieldDecl *Field = Init.getAnyMember();
  if (!Field || !Init.getInit())
    return;
  PlaceId P = placeOfOwn(*Field);
  if (Model.classify(Field->getType()) == TypeClass::Optimizer)
    bindParameters(P, *Init.getInit(), *Init.getInit());
  else if (const bool Holds = Model.holdsTensors(Field->getType());
           Holds || Field->getType()->isPointerType())
    emit(EventKind::Store, *Init.getInit(), P,
         Holds ? operandOrUnknown(*Init.getInit()) : operand(Init.getInit()))
        .Declares = true;
}

//===-- Assignments and returns -------------------------------------------===//

void FactsGenerator::visitReturn(const ReturnStmt &R) {
  const Expr *Value = R.getRetValue();
  if (InBody != NoId)
    return returnTo(InBody, R);
  if (!Value)
    return;
  PlaceId P = placeOf(Value);
  const QualType T = Out->Function->getReturnType();
  bool Refers =
      T->isReferenceType() || (T->isPointerType() && !isa<CXXNullPtrLiteralExpr>(strip(Value)));
  if (ValueId V = operand(Value); V != NoId || P != NoId || Refers)
    emit(EventKind::Return, R, P, V);
}

void FactsGenerator::visitAssignment(const Expr &At, const Expr *Lhs, const Expr *Rhs) {
  assign(At, Lhs, operand(Rhs), Rhs);
}

bool FactsGenerator::assignToResult(const Expr &At, const CallExpr &Call, ValueId V,
                                    const Expr *Rhs) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  auto E = Callee ? Model.effectOf(*Callee) : std::nullopt;
  const bool IsOfBox = boxAccess(Call).has_value();
  if (E && E->What == Does::Forward1 && Callee->isInStdNamespace() && !IsOfBox) {
    for (unsigned I = 0; I < Call.getNumArgs(); ++I) { // std::tie(a, b) = ...
      ValueId Own = partOf(V, I, At);
      assign(At, Call.getArg(I), Own, Rhs, Own == V ? int(I) : -1);
    }
    return true;
  }
  const ValueId Target = operand(&Call);
  if (isGradient(Target)) {
    bool Resets = V == NoId || Out->Values[V].Api.What == Does::Create;
    emit(Resets ? EventKind::ResetGrad : EventKind::GradStore, At, ownerOfGradient(Target), V);
    return true;
  }
  if (IsOfBox || (Callee && !E && namesTensor(Call, *Callee)))
    return false;
  if (E && E->What == Does::Element) {
    assignElement(At, Call, V);
    return true;
  }
  const PlaceId Base = placeBehind(Target);
  if (Base != NoId) // x[i] = y writes x
    emit(EventKind::Mutate, At, Base).Args.push_back(V);
  return Base != NoId;
}

void FactsGenerator::assign(const Expr &At, const Expr *Lhs, ValueId V, const Expr *Rhs, int Part) {
  Lhs = strip(Lhs);
  const auto *Call = dyn_cast<CallExpr>(Lhs);
  if (!Call || !assignToResult(At, *Call, V, Rhs))
    put(At, Lhs, V, Rhs, Part);
}

/// What is assigned to is a variable, a member, or what stands in one.
void FactsGenerator::put(const Expr &At, const Expr *Lhs, ValueId V, const Expr *Rhs, int Part) {
  PlaceId P = placeOf(Lhs);
  if (P == NoId)
    return;
  TypeClass Class = Model.classify(Lhs->getType());
  if (Class == TypeClass::Optimizer)
    return bindParameters(P, *Rhs, At);
  if (Model.isSharedModule(Lhs->getType()) && Out->Places[P].isField()) {
    PlaceId From = placeOf(Rhs);
    emit(EventKind::Link, At, P, From == NoId ? NoId : load(*Rhs, From));
    return;
  }
  if (Class == TypeClass::TensorContainer && V == NoId) {
    emit(boxKind(Lhs->getType()) == BoxKind::One ? EventKind::Drop : EventKind::Shrink, At, P);
    return;
  }
  if (keepsFunctions(Lhs->getType())) {
    emit(EventKind::Shrink, At, P);
    return;
  }
  if (Model.holdsTensors(Lhs->getType()) || Lhs->getType()->isPointerType())
    putInto(At, *Lhs, P, V).Part = Part;
}

/// \p Lhs is the whole of \p P, one of the parts there, or an element with a key or its member.
Event &FactsGenerator::putInto(const Expr &At, const Expr &Lhs, PlaceId P, ValueId V) {
  const Expr *Key = keyOfPlace(Lhs);
  const auto *Star = dyn_cast<UnaryOperator>(&Lhs);
  bool IsPart =
      Star ? !pointsToWhole(Star->getSubExpr())
           : isa<ArraySubscriptExpr>(Lhs) || namesPart(Lhs) || (Key && !constantKey(Key, Context));
  Event &Store = emit(IsPart ? EventKind::StoreWeak : EventKind::Store, At, P, V);
  if (Key)
    setKey(Store, Key);
  return Store;
}

//===-- Loops and events --------------------------------------------------===//

LoopId FactsGenerator::internLoop(const Stmt &S) {
  if (auto It = LoopIds.find(&S); It != LoopIds.end())
    return It->second;
  LoopId Parent = loopOf(S);
  LoopId Id = Out->Loops.size();
  Out->Loops.push_back({&S, Parent});
  return LoopIds[&S] = Id;
}

/// Whether \p Child of the loop \p S runs again with every round.
static bool runsEachRound(const Stmt &S, const Stmt *Child) {
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return Child != For->getInit();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&S))
    return Child == Range->getBody() || Child == Range->getLoopVarStmt() ||
           Child == Range->getInc() || Child == Range->getCond();
  return isLoop(S);
}

LoopId FactsGenerator::loopOf(const Stmt &S) {
  const Stmt *Child = &S;
  if (const auto *D = dyn_cast<DeclStmt>(&S))
    for (auto It = Out->Cfg->synthetic_stmt_begin(); It != Out->Cfg->synthetic_stmt_end(); ++It)
      if (It->first == D)
        Child = It->second;
  for (const Stmt *P = Parents->getParent(Child); P; Child = P, P = Parents->getParent(P))
    if (runsEachRound(*P, Child) || isAlgorithm(*Out, *P, *Child))
      return internLoop(*P);
  return NoId;
}

Event &FactsGenerator::emit(EventKind Kind, const Stmt &Where, PlaceId P, ValueId V) {
  Event E;
  E.Kind = Kind;
  E.At = &Where;
  E.Place = P;
  E.Val = V;
  E.InLoop = loopOf(Where);
  E.In = InBody;
  Out->Events.push_back(std::move(E));
  return Out->Events.back();
}

} // namespace tensorleak
