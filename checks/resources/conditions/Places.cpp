//===-- Places.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Places.h"

#include "checks/resources/facts/MemberWrites.h"
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

using Chain = ConditionPlaces::Chain;

bool ConditionPlace::outlivesCall() const {
  const auto *V = dyn_cast_or_null<VarDecl>(Chain.front().Decl);
  const bool IsCallers = isa_and_nonnull<ParmVarDecl>(V) && V->getType()->isReferenceType();
  return Chain.size() > 1 ? !V || !V->hasLocalStorage() || !V->getType()->isRecordType()
                          : V && (V->hasGlobalStorage() || IsCallers);
}

const ValueDecl &ConditionPlace::last() const {
  return *llvm::find_if(llvm::reverse(Chain), [](const Step &S) { return S.Decl; })->Decl;
}

QualType ConditionPlace::type() const {
  QualType Of;
  for (const Step &S : Chain)
    Of = S.What == Step::Held ? partsOf(Of)[S.Index] : S.Decl ? S.Decl->getType() : Of;
  return Of.getNonReferenceType();
}

/// As boundTo(), for references of the function's own: a parameter is none.
static const Expr *ownBoundTo(const VarDecl &V) {
  const Expr *Bound = isa<ParmVarDecl>(V) || !V.hasLocalStorage() ? nullptr : boundTo(V);
  const auto *Itself = Bound ? dyn_cast<DeclRefExpr>(bare(Bound)) : nullptr;
  return Itself && Itself->getDecl() == &V ? nullptr : Bound;
}

static Step rootStep(const ValueDecl *Variable) { return {Step::Root, Variable, 0, {}}; }

static std::optional<Chain> chainOf(const Expr *E);

static std::optional<Chain> chainOfVariable(const VarDecl &V) {
  if (const Expr *Bound = ownBoundTo(V))
    if (auto Of = chainOf(Bound))
      return Of;
  return V.getType().isVolatileQualified() ? std::nullopt : std::optional(Chain{rootStep(&V)});
}

/// `auto [a, b] = box;`: the part of it, by its own name.
static std::optional<Chain> chainOfBinding(const BindingDecl &B) {
  const auto *Whole = dyn_cast<DecompositionDecl>(B.getDecomposedDecl());
  const QualType Type = Whole ? Whole->getType().getNonReferenceType() : QualType();
  auto Of = Whole && isFollowedBox(Type) ? chainOfVariable(*Whole) : std::nullopt;
  if (Of)
    Of->push_back(partStep(Type, llvm::find(Whole->bindings(), &B) - Whole->bindings().begin()));
  return Of;
}

static std::optional<Chain> chainOfDecl(const ValueDecl &D) {
  if (const auto *B = dyn_cast<BindingDecl>(&D))
    return chainOfBinding(*B);
  const auto *V = dyn_cast<VarDecl>(&D);
  return V ? chainOfVariable(*V) : std::nullopt;
}

/// What a lambda captures: the variable, or what its name stands for.
static Chain chainOfCaptured(const LambdaCapture &C) {
  const ValueDecl &D = *C.getCapturedVar();
  return chainOfDecl(D).value_or(Chain{rootStep(&D)});
}

/// `*box`, `box->`: what the box holds. What `box.get()` gives is a pointer like others.
static std::optional<Chain> chainOfPart(const CallExpr &Call) {
  auto Access = boxAccess(Call);
  bool Names = Access && (!Access->GivesPointer || isa<CXXOperatorCallExpr>(Call));
  auto Of = Names && isFollowed(*Access->Box) ? chainOf(Access->Box) : std::nullopt;
  if (Of)
    Of->push_back(partStep(Access->Box->getType(), Access->Part));
  return Of;
}

/// The variable and the members that \p E names, or nothing.
static std::optional<Chain> chainOf(const Expr *E) {
  E = bare(E);
  if (isa_and_nonnull<CXXThisExpr>(E))
    return Chain{rootStep(nullptr)};
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return chainOfDecl(*Ref->getDecl());
  if (const auto *Call = dyn_cast_or_null<CallExpr>(E))
    return chainOfPart(*Call);
  const auto *M = dyn_cast_or_null<MemberExpr>(E);
  if (const auto *Static = M ? dyn_cast<VarDecl>(M->getMemberDecl()) : nullptr)
    return Chain{rootStep(Static)};
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  auto Base = Field ? chainOf(M->getBase()) : std::nullopt;
  if (Base)
    Base->push_back(Step::field(*Field));
  return Base;
}

/// The variable \p V is no more than another name.
static bool isName(const VarDecl &V) {
  const Expr *Bound = ownBoundTo(V);
  return Bound && chainOf(Bound);
}

static const Stmt *statementOf(const CFGElement &Element) {
  auto S = Element.getAs<CFGStmt>();
  return S ? S->getStmt() : nullptr;
}

static llvm::ArrayRef<const Expr *> argumentsOf(const Stmt &S) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    return {Call->getArgs(), Call->getNumArgs()};
  if (const auto *C = dyn_cast<CXXConstructExpr>(&S))
    return {C->getArgs(), C->getNumArgs()};
  return {};
}

/// With those inside of lambdas that are called at once.
static void forEachStatement(const CFG &Cfg, llvm::function_ref<void(const Stmt &)> Visit) {
  for (const CFGBlock *Block : Cfg)
    for (const CFGElement &Element : *Block)
      if (const Stmt *S = statementOf(Element))
        forEachEvaluated(*S, Visit);
}

ConditionPlaces::ConditionPlaces(const CFG &Cfg, const MemberWrites *Writes) : Writes(Writes) {
  Exprs Arguments, CalledAtOnce;
  forEachStatement(Cfg, [&](const Stmt &S) {
    intern(S);
    for (const Expr *Arg : argumentsOf(S))
      Arguments.insert(bare(Arg));
    if (const auto *E = dyn_cast<Expr>(&S))
      CalledAtOnce.insert(lambdaCalledAtOnce(*E));
  });
  forEachStatement(Cfg, [&](const Stmt &S) { findShared(S, Arguments, CalledAtOnce); });
  for (PlaceId P = 0; P < All.size(); ++P)
    if (All[P].outlivesCall())
      Outliving.push_back(P);
}

void ConditionPlaces::intern(const Stmt &S) {
  auto Add = [&](Chain Of) {
    bool IsThis = Of.size() == 1 && !Of.front().Decl;
    if (!IsThis && Ids.try_emplace(Of, All.size()).second)
      All.push_back({std::move(Of), false});
  };
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each); V && !V->getType().isVolatileQualified())
        Add({rootStep(V)});
  } else if (isa<DeclRefExpr, MemberExpr, CallExpr>(&S)) {
    if (auto Of = chainOf(cast<Expr>(&S)))
      Add(std::move(*Of));
  }
}

std::optional<ConditionPlaces::PlaceId> ConditionPlaces::find(const Chain &Of) const {
  auto It = Ids.find(Of);
  return It == Ids.end() ? std::nullopt : std::optional(It->second);
}

std::optional<ConditionPlaces::PlaceId> ConditionPlaces::find(const Expr *E) const {
  auto Of = chainOf(E);
  return Of ? find(*Of) : std::nullopt;
}

void ConditionPlaces::mentioned(const Expr &E, std::set<PlaceId> &Out) const {
  mentions(&E, [&](const Expr &Part) {
    if (auto P = isa<DeclRefExpr, MemberExpr, CallExpr>(Part) ? find(&Part) : std::nullopt)
      Out.insert(*P);
    return false;
  });
}

//===-- Other names -------------------------------------------------------===//

void ConditionPlaces::share(const Expr *E) {
  if (auto P = find(E))
    All[*P].IsShared = true;
}

static bool isBelow(llvm::ArrayRef<Step> Part, llvm::ArrayRef<Step> Whole) {
  return Part.take_front(std::min(Part.size(), Whole.size())) == Whole;
}

/// \p Of, and what lies in it.
void ConditionPlaces::shareAll(const Chain &Of) {
  for (ConditionPlace &P : All)
    if (isBelow(P.Chain, Of))
      P.IsShared = true;
}

void ConditionPlaces::findSharedBy(const DeclStmt &D) {
  for (const Decl *Each : D.decls()) {
    const auto *V = dyn_cast<VarDecl>(Each);
    if (!V || !V->getType()->isReferenceType() || isName(*V))
      continue;
    share(V->getInit());
    if (auto It = Ids.find({rootStep(V)}); It != Ids.end())
      All[It->second].IsShared = true;
  }
}

static bool isReference(const LambdaCapture &C) {
  return C.capturesVariable() && C.getCaptureKind() == LCK_ByRef;
}

/// Its address is kept, a reference is bound to it, or a lambda refers to it.
void ConditionPlaces::findShared(const Stmt &S, const Exprs &Arguments, const Exprs &CalledAtOnce) {
  if (const auto *Op = dyn_cast<UnaryOperator>(&S)) {
    if (Op->getOpcode() == UO_AddrOf && !Arguments.count(Op))
      share(Op->getSubExpr());
  } else if (const auto *L = dyn_cast<LambdaExpr>(&S)) {
    for (const LambdaCapture &C : L->captures())
      if (isReference(C) && !CalledAtOnce.count(L))
        shareAll(chainOfCaptured(C));
  } else if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    findSharedBy(*D);
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    auto Access = boxAccess(*Call);
    auto Of =
        Access && Access->GivesPointer && !chainOf(Call) ? chainOf(Access->Box) : std::nullopt;
    if (Of)
      shareAll(*Of);
  }
}

//===-- Writes ------------------------------------------------------------===//

/// What lies below the object that \p E names, or the one that it points to.
void ConditionPlaces::forEachBelow(const Expr *E, OnWrite Write, bool Itself) const {
  auto Of = chainOf(E);
  if (!Of)
    return;
  llvm::SmallVector<PlaceId, 4> Found; // in the order in which they were found, always
  for (auto It = Ids.lower_bound(*Of); It != Ids.end() && isBelow(It->first, *Of); ++It)
    if (Itself || It->first.size() > Of->size())
      Found.push_back(It->second);
  llvm::sort(Found);
  for (PlaceId P : Found)
    Write(P, nullptr);
}

static const FunctionDecl *calleeOf(const Expr &Call) {
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&Call))
    return Made->getConstructor();
  const auto *C = dyn_cast<CallExpr>(&Call);
  return C ? C->getDirectCallee() : nullptr;
}

static bool isForeignCallee(const Expr &Call) {
  const FunctionDecl *Callee = calleeOf(Call);
  return Callee && isInLibraryHeader(*Callee);
}

/// A kernel gets copies of its arguments, and has only what these point to to write to.
static bool isKernel(const Expr &Call) {
  const FunctionDecl *Callee = calleeOf(Call);
  return isa<CUDAKernelCallExpr>(Call) || (Callee && Callee->hasAttr<CUDAGlobalAttr>());
}

/// It reads the object, and has no more to write to than its arguments.
static bool readsObject(const CXXMemberCallExpr &Call) {
  return Call.getMethodDecl() && Call.getMethodDecl()->isConst() && isForeignCallee(Call);
}

/// What a lambda that is called at once may write by the names it captures.
void ConditionPlaces::forEachCaptured(const LambdaExpr &L, OnWrite Write) const {
  for (PlaceId P = 0; P < All.size(); ++P)
    if (llvm::any_of(L.captures(), [&](const LambdaCapture &C) {
          return isReference(C) && isBelow(All[P].Chain, chainOfCaptured(C));
        }))
      Write(P, nullptr);
}

/// Whether \p Callee writes to \p P by a name of its own, and not by an argument that names it.
bool ConditionPlaces::mayChange(const FunctionDecl *Callee, PlaceId P) const {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  return !Callee || !Writes || (Method && Method->isVirtual()) ||
         llvm::any_of(All[P].Chain,
                      [&](const Step &S) { return S.Decl && Writes->mayWrite(*Callee, *S.Decl); });
}

void ConditionPlaces::forEachWriteOfCall(const Expr &Call, OnWrite Write) const {
  if (isa<CallExpr>(Call) && chainOf(&Call))
    return; // it names what a box holds
  if (yieldedAtOnce(Call))
    return; // its parts write
  if (isKernel(Call))
    return;
  if (const LambdaExpr *L = lambdaCalledAtOnce(Call))
    forEachCaptured(*L, Write);
  bool IsForeign = isForeignCallee(Call);
  auto WriteIfChanged = [&](PlaceId P, const Expr *) {
    if (IsForeign || mayChange(calleeOf(Call), P))
      Write(P, nullptr);
  };
  for (const Expr *Arg : argumentsOf(Call)) {
    const auto *Address = dyn_cast_or_null<UnaryOperator>(bare(Arg));
    if (Address && Address->getOpcode() == UO_AddrOf)
      forEachBelow(Address->getSubExpr(), Write, /*Itself=*/true);
    else if (Arg->isGLValue() && !Arg->getType().isConstQualified())
      forEachBelow(Arg, Write, /*Itself=*/true);
    else if (Arg->getType()->isPointerType() && !IsForeign)
      forEachBelow(Arg, WriteIfChanged, /*Itself=*/false);
  }
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call); Member && !readsObject(*Member))
    forEachBelow(Member->getImplicitObjectArgument(), WriteIfChanged, /*Itself=*/false);
  if (!IsForeign)
    for (PlaceId P : Outliving)
      WriteIfChanged(P, nullptr);
}

/// A variable, and what it holds where it is a box.
void ConditionPlaces::forEachWriteOfDecl(const DeclStmt &D, OnWrite Write) const {
  for (const Decl *Each : D.decls()) {
    const auto *V = dyn_cast<VarDecl>(Each);
    if (!V || V->isStaticLocal())
      continue;
    if (auto It = Ids.find({rootStep(V)}); It != Ids.end())
      Write(It->second, V->getInit());
    if (boxKind(V->getType()) == BoxKind::None || V->getType()->isReferenceType())
      continue;
    auto Parts = V->getInit() ? partsOfNewBox(*bare(V->getInit())) : std::nullopt;
    for (unsigned Part = 0; Part < partsOf(V->getType()).size(); ++Part)
      if (auto P = find(Chain{rootStep(V), partStep(V->getType(), Part)}))
        Write(*P, Parts && Part < Parts->size() ? (*Parts)[Part] : nullptr);
  }
}

void ConditionPlaces::forEachWrite(const Stmt &S, OnWrite Write) const {
  if (const auto *D = dyn_cast<DeclStmt>(&S))
    return forEachWriteOfDecl(*D, Write);
  if (!argumentsOf(S).empty() || isa<CallExpr>(S))
    return forEachWriteOfCall(cast<Expr>(S), Write);
  const auto *Set = dyn_cast<BinaryOperator>(&S);
  const auto *Step = dyn_cast<UnaryOperator>(&S);
  const Expr *To = Set && Set->isAssignmentOp()             ? Set->getLHS()
                   : Step && Step->isIncrementDecrementOp() ? Step->getSubExpr()
                                                            : nullptr;
  if (auto P = To ? find(To) : std::nullopt) {
    forEachBelow(To, Write, /*Itself=*/false);
    Write(*P, cast<Expr>(&S));
  }
}

} // namespace tensorleak
