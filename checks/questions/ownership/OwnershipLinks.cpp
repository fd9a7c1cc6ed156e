//===-- OwnershipLinks.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ownership/OwnershipReader.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/questions/ownership/OwnershipReads.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"

using namespace clang;

namespace tensorleak {
namespace ownership {

void Reader::add(OwnershipStep Step) {
  Step.Block = Block;
  Out.push_back(std::move(Step));
}

const Effect *Reader::effectOf(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  LastEffect = Callee ? U.model().effectOf(*Callee) : std::nullopt;
  return LastEffect ? &*LastEffect : nullptr;
}

/// The std::function that the caller gives.
static const ParmVarDecl *functionParameter(const ValueDecl *D) {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(D);
  return Param && isFunctionObject(Param->getType()) ? Param : nullptr;
}

//===-- What a statement does ---------------------------------------------===//

void Reader::keepCaptures(const Slot &To, const LambdaExpr &Lambda, SourceLocation At) {
  auto Init = Lambda.capture_init_begin();
  for (const LambdaCapture &Capture : Lambda.captures()) {
    const Expr *Value = *Init++;
    if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByCopy && Value &&
        isOwningPointer(Value->getType()))
      keep(To, Value, At);
  }
}

/// All elements of a container have one name: two of them need not be the same.
static bool namesElements(ObjectName Name) {
  const auto *D = dyn_cast_or_null<ValueDecl>(llvm::dyn_cast_if_present<const Decl *>(Name));
  const auto *E = llvm::dyn_cast_if_present<const Expr *>(Name);
  const QualType T = D ? D->getType().getNonReferenceType() : E ? E->getType() : QualType();
  return !T.isNull() && keepsOthersAlive(T) && !isOwningPointer(T);
}

void Reader::keep(const Slot &To, const Expr *Value, SourceLocation At) {
  const Expr *E = strip(Value);
  while (const auto *Wrapped = dyn_cast_or_null<CXXConstructExpr>(E)) {
    if (!isFunctionObject(Wrapped->getType()) || !Wrapped->getNumArgs())
      break;
    E = strip(Wrapped->getArg(0));
  }
  if (const auto *Lambda = dyn_cast_or_null<LambdaExpr>(E))
    return keepCaptures(To, *Lambda, At);
  if (const auto *Param = functionParameter(variableOrMember(bare(Value))); Param && To.Owner)
    return add({OwnershipStep::Links, At, To.Owner, ObjectName(Param), To.Member, To.OwnerType,
                E->getType()});
  ObjectName Owned = E && isOwningPointer(E->getType()) ? objectOf(E) : ObjectName();
  if (!To.Owner || !Owned || (Owned == To.Owner && namesElements(Owned)))
    return;
  add({OwnershipStep::Links, At, To.Owner, Owned, To.Member, To.OwnerType, E->getType()});
  if (llvm::dyn_cast<const Expr *>(Owned))
    applyMaking(E, Owned); // made where it is kept
}

void Reader::replace(const Slot &Of, const Expr *Value, SourceLocation At) {
  OwnershipStep Step{OwnershipStep::Unlinks, At, Of.Owner, {}, Of.Member};
  Step.IsCut = isNull(Value) || keepsFunctions(Of.Member->getType());
  add(std::move(Step));
  ObjectName Now = isOwningPointer(Of.Member->getType()) ? objectOf(Value) : ObjectName();
  if (Now)
    Parts[{Of.Owner.getOpaqueValue(), Of.Member}] = {Now, Block};
  else
    Parts.erase({Of.Owner.getOpaqueValue(), Of.Member});
}

void Reader::assign(const Expr &At, const Expr *Target, const Expr *Value) {
  if (auto To = slotOf(Target)) {
    if (isa<MemberExpr>(strip(Target))) // else an element, and the others stay
      replace(*To, Value, At.getExprLoc());
    return keep(*To, Value, At.getBeginLoc());
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(strip(Target));
  if (!Ref || !isPointerToObject(Ref->getType()))
    return;
  ObjectName Now = objectOf(Value);
  add({OwnershipStep::Renames, At.getExprLoc(), Ref->getDecl()});
  Aliases[Ref->getDecl()] = Now ? Now : ObjectName(&At);
}

/// `for (auto &child : parent->children)`: each is an object that the range keeps.
bool Reader::visitElement(const VarDecl &V) {
  const ObjectName Of = objectOf(Ranges.lookup(&V));
  if (!Of)
    return false;
  if (const auto *Parts = dyn_cast<DecompositionDecl>(&V)) // of a map
    for (const BindingDecl *Each : Parts->bindings())
      Aliases[Each] = Of;
  Aliases[&V] = Of;
  return true;
}

/// A variable that is made from another pointer names the same object; else it is a new one.
void Reader::visitVar(const VarDecl &V) {
  if (visitElement(V) || !isPointerToObject(V.getType()) || !V.getInit())
    return;
  ObjectName Of = objectOf(V.getInit());
  const Expr *Made = Of ? llvm::dyn_cast<const Expr *>(Of) : nullptr;
  OwnershipStep Now{OwnershipStep::Renames, V.getLocation(), &V};
  Now.IsMade = isNew(Made);
  add(std::move(Now));
  bool Points = V.getType()->isReferenceType() || V.getType()->isPointerType() ||
                isOwningPointer(V.getType()) || isWeakPointer(V.getType());
  if (Of && !Made && Points)
    Aliases[&V] = Of;
  else
    Aliases.erase(&V);
  applyMaking(V.getInit(), objectOfVar(V));
  if (Made)
    applyReturned(*Made, objectOfVar(V));
}

/// The constructor that std::make_shared<C>(...), or a `new` in a pointer's, runs.
void Reader::applyMaking(const Expr *Made, ObjectName Object) {
  const Expr *E = strip(Made);
  if (const auto *Wrapped = dyn_cast_or_null<CXXConstructExpr>(E);
      Wrapped && isOwningPointer(E->getType()) && Wrapped->getNumArgs() >= 1)
    E = strip(Wrapped->getArg(0));
  if (const auto *New = dyn_cast_or_null<CXXNewExpr>(E)) {
    if (const CXXConstructExpr *C = New->getConstructExpr())
      applyCallee(*C->getConstructor(), Args(C->getArgs(), C->getNumArgs()), Object);
    return;
  }
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  const CXXRecordDecl *Class = Call ? classMadeBy(*Call) : nullptr;
  const CXXConstructorDecl *Run = Class ? constructorFor(*Class, Call->getNumArgs()) : nullptr;
  if (Run)
    applyCallee(*Run, Args(Call->getArgs(), Call->getNumArgs()), Object);
}

/// What a function of the file makes and returns becomes \p Object.
void Reader::applyReturned(const Expr &Made, ObjectName Object) {
  const auto *Call = dyn_cast<CallExpr>(&Made);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Made);
  if (!Callee || isa<CXXOperatorCallExpr>(Made))
    return;
  const Expr *Self = Member ? Member->getImplicitObjectArgument() : nullptr;
  applyCallee(*Callee, Args(Call->getArgs(), Call->getNumArgs()),
              Self ? objectOf(Self) : ObjectName(), Object);
}

/// Its parameters and its object have other names here, and so has what it returns.
void Reader::applyCallee(const FunctionDecl &Callee, Args Arguments, ObjectName Object,
                         ObjectName Result) {
  auto It = Known.find(Callee.getCanonicalDecl());
  if (It == Known.end() || isOver(Budget::SummaryEffects, It->second.size()))
    return;
  const FunctionDecl *Body = Callee.getDefinition() ? Callee.getDefinition() : &Callee;
  auto Named = [&](ObjectName Name) -> ObjectName {
    const auto *D = llvm::dyn_cast_if_present<const Decl *>(Name);
    if (D == Body)
      return Object;
    for (unsigned I = 0; I < Body->getNumParams() && I < Arguments.size(); ++I)
      if (D && D == Body->getParamDecl(I))
        return objectOf(Arguments[I]);
    if (Result && returnsVariable(*Body, D))
      return Result;
    bool IsOwnMember = isa_and_nonnull<FieldDecl>(D) && Object == ObjectName(&Function);
    return IsOwnMember ? Name : ObjectName(); // else of another object, or of the callee alone
  };
  for (unsigned I = 0; I < It->second.size(); ++I) {
    OwnershipStep Step = It->second[I];
    Step.IsCut &= !isOfNewObject(It->second, I, *Body);
    Step.Owner = Named(Step.Owner);
    Step.Owned = Named(Step.Owned);
    bool IsSeen = Step.Owner && (Step.Owned || Step.What == OwnershipStep::Unlinks);
    if (IsSeen && Step.What != OwnershipStep::Renames)
      add(Step);
  }
}

/// `bus.subscribe([self] { ... });`: the callee puts what it is given into its object, which is
/// \p Object or stands in it.
void Reader::keepFunctionsGiven(const FunctionDecl &Callee, Args Arguments, ObjectName Object) {
  auto It = Known.find(Callee.getCanonicalDecl());
  if (It == Known.end())
    return;
  const FunctionDecl *Body = Callee.getDefinition() ? Callee.getDefinition() : &Callee;
  for (const OwnershipStep &Step : OwnershipSteps(It->second)) {
    const auto *Param = functionParameter(
        dyn_cast_or_null<ValueDecl>(llvm::dyn_cast_if_present<const Decl *>(Step.Owned)));
    if (Step.What != OwnershipStep::Links || Step.Owner != ObjectName(Body) || !Param)
      continue;
    const unsigned I = Param->getFunctionScopeIndex();
    if (I < Arguments.size())
      keep({Object, Step.Member, Step.OwnerType}, Arguments[I], Arguments[I]->getBeginLoc());
  }
}

/// `std::move(handlers)`, `std::swap(handlers, others)`: they leave the object.
void Reader::letGoOfFunctions(const CallExpr &Call) {
  for (const Expr *Arg : Call.arguments())
    if (auto Of = slotOf(Arg); Of && Of->Member && holdsFunctions(Of->Member->getType()))
      replace(*Of, nullptr, Call.getExprLoc());
}

void Reader::visitRegistration(const CXXMemberCallExpr &Call) {
  const Expr *Self = Call.getImplicitObjectArgument();
  QualType Type = Self->getType();
  for (const Expr *Arg : Call.arguments())
    keep({objectOf(Self), nullptr, Type->isPointerType() ? Type->getPointeeType() : Type}, Arg,
         Call.getBeginLoc());
}

/// Of the C++ library or of LibTorch. What the model does not know may let go of anything.
void Reader::visitMethod(const CXXMemberCallExpr &Call, const Effect &E) {
  if (E.What == Does::Register)
    return visitRegistration(Call);
  auto To = slotOf(Call.getImplicitObjectArgument());
  if (!To)
    return;
  if (E.What == Does::Shrink)
    replace(*To, nullptr, Call.getExprLoc());
  if (E.What == Does::Shrink || E.What == Does::Grow || E.What == Does::GrowKeyed)
    for (const Expr *Arg : Call.arguments())
      keep(*To, Arg, Call.getBeginLoc());
}

void Reader::visitCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (Op && Op->getOperator() == OO_Equal)
    return assign(Call, Op->getArg(0), Op->getArg(1));
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (const Effect *E = effectOf(Call); E && Member)
    return visitMethod(*Member, Effect(*E));
  if (!Callee || Op)
    return;
  if (Callee->isInStdNamespace() && !Member)
    letGoOfFunctions(Call);
  const Expr *Self = Member ? Member->getImplicitObjectArgument() : nullptr;
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (Method && Method->getParent()->isInStdNamespace() && !Method->isConst())
    return visitMethod(*Member, {Does::Shrink, None, {}}); // such as reset() of std::shared_ptr
  applyCallee(*Callee, Args(Call.getArgs(), Call.getNumArgs()),
              Self ? objectOf(Self) : ObjectName(),
              isOwningPointer(Call.getType()) ? ObjectName(&Call) : ObjectName());
  if (Self)
    keepFunctionsGiven(*Callee, Args(Call.getArgs(), Call.getNumArgs()), objectAround(Self));
}

void Reader::visit(const Stmt &S) {
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        visitVar(*V);
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    visitCall(*Call);
  } else if (const auto *B = dyn_cast<BinaryOperator>(&S); B && B->getOpcode() == BO_Assign) {
    assign(*B, B->getLHS(), B->getRHS());
  }
}

OwnershipSteps Reader::run() {
  anyBelow(Function.getBody(), [&](const Stmt &S) {
    if (const auto *Loop = dyn_cast<CXXForRangeStmt>(&S))
      Ranges[Loop->getLoopVariable()] = Loop->getRangeInit();
    return false;
  });
  for (const CFGBlock *Each : PostOrderCFGView(&Cfg)) {
    Block = Each;
    for (const CFGElement &Element : *Each) {
      if (auto S = Element.getAs<CFGStmt>())
        visit(*S->getStmt());
      auto Init = Element.getAs<CFGInitializer>();
      const FieldDecl *Field = Init ? Init->getInitializer()->getAnyMember() : nullptr;
      if (Field && keepsOthersAlive(Field->getType()))
        keep({&Function, Field, cast<CXXMethodDecl>(Function).getFunctionObjectParameterType()},
             Init->getInitializer()->getInit(), Init->getInitializer()->getSourceLocation());
    }
  }
  return std::move(Out);
}

} // namespace ownership

/// `auto n = std::make_shared<Node>(); n->children.resize(2);`: nobody else has tied anything to
/// it.
bool isOfNewObject(llvm::ArrayRef<OwnershipStep> All, unsigned Step, const FunctionDecl &F) {
  const ObjectName Owner = All[Step].Owner;
  return (isa<CXXConstructorDecl>(F) && Owner == ObjectName(&F)) ||
         llvm::any_of(All.take_front(Step), [&](const OwnershipStep &Before) {
           return Before.IsMade && Before.Owner == Owner;
         });
}

OwnershipSteps ownershipSteps(Unit &U, const FunctionUnit &F, const OwnershipMap &Known) {
  return ownership::Reader(U, F, Known).run();
}

} // namespace tensorleak
