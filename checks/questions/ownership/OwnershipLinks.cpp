//===-- OwnershipLinks.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ownership/OwnershipLinks.h"

#include "checks/model/ClassNames.h"
#include "checks/questions/ownership/OwnershipReads.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"

#include <map>

using namespace clang;

namespace tensorleak {
namespace {

/// A member that keeps others, of an object.
struct Slot {
  ObjectName Owner = {};
  const ValueDecl *Member = nullptr;
  QualType OwnerType;
};

class Reader {
public:
  Reader(Unit &U, const FunctionUnit &F, const OwnershipMap &Known)
      : U(U), Function(*F.Facts->Function), Cfg(F.Facts->ownCfg()), Known(Known), Reaches(Cfg) {}
  OwnershipSteps run();

private:
  using Args = llvm::ArrayRef<const Expr *>;

  void visit(const Stmt &S);
  void visitVar(const VarDecl &V);
  void visitCall(const CallExpr &Call);
  void visitMethod(const CXXMemberCallExpr &Call, const Effect &E);
  void visitRegistration(const CXXMemberCallExpr &Call);
  void assign(const Expr &At, const Expr *Target, const Expr *Value);
  void keep(const Slot &To, const Expr *Value, SourceLocation At);
  void replace(const Slot &Of, const Expr *Value, SourceLocation At);
  void keepCaptures(const Slot &To, const LambdaExpr &Lambda, SourceLocation At);
  void applyCallee(const FunctionDecl &Callee, Args Arguments, ObjectName Object,
                   ObjectName Result = {});
  void applyReturned(const Expr *Made, ObjectName Object);
  void applyMaking(const Expr *Made, ObjectName Object);

  const Effect *effectOf(const CallExpr &Call);
  ObjectName objectOf(const Expr *E);
  ObjectName objectOfVar(const ValueDecl &V);
  ObjectName objectOfMember(const MemberExpr &M);
  bool leadsHere(const CFGBlock &Earlier);
  ObjectName objectOfCall(const CallExpr &Call);
  std::optional<Slot> slotOf(const Expr *E);
  void add(OwnershipStep Step);

  Unit &U;
  const FunctionDecl &Function;
  const CFG &Cfg;
  const OwnershipMap &Known;
  const CFGBlock *Block = nullptr;
  std::optional<Effect> LastEffect;
  llvm::DenseMap<const ValueDecl *, ObjectName> Aliases; ///< copies of another pointer
  struct Part {
    ObjectName Name;
    const CFGBlock *Since; ///< where it was put there, or first named
  };
  /// By object and member: what the member points to.
  std::map<std::pair<const void *, const ValueDecl *>, Part> Parts;
  CFGReverseBlockReachabilityAnalysis Reaches;
  OwnershipSteps Out;
};

void Reader::add(OwnershipStep Step) {
  Step.Block = Block;
  Out.push_back(std::move(Step));
}

const Effect *Reader::effectOf(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  LastEffect = Callee ? U.model().effectOf(*Callee) : std::nullopt;
  return LastEffect ? &*LastEffect : nullptr;
}

//===-- Which object an expression names ----------------------------------===//

ObjectName Reader::objectOfVar(const ValueDecl &V) {
  auto It = Aliases.find(&V);
  return It == Aliases.end() ? ObjectName(&V) : It->second;
}

/// Some way from \p Earlier leads to the block at hand: what was done there may still hold.
bool Reader::leadsHere(const CFGBlock &Earlier) {
  return &Earlier == Block || Reaches.isReachable(&Earlier, Block);
}

/// What a member points to, or one of its elements: what was put there last, else something
/// that the member has named from the start.
ObjectName Reader::objectOfMember(const MemberExpr &M) {
  const auto *Field = dyn_cast<FieldDecl>(M.getMemberDecl());
  ObjectName Owner =
      Field && keepsOthersAlive(Field->getType()) ? objectOf(M.getBase()) : ObjectName();
  if (!Owner)
    return {};
  bool IsOwn = Owner == ObjectName(&Function);
  const Part FromTheStart{IsOwn ? ObjectName(Field) : ObjectName(&M), Block};
  auto [It, IsFirst] = Parts.try_emplace({Owner.getOpaqueValue(), Field}, FromTheStart);
  if (!IsFirst && !leadsHere(*It->second.Since)) {
    It->second = FromTheStart;
    IsFirst = true;
  }
  const ObjectName Named = It->second.Name;
  if (IsFirst || IsOwn)
    add({OwnershipStep::Links, M.getExprLoc(), Owner, Named, Field, classAround(M),
         Field->getType(), /*IsOld=*/true});
  return Named;
}

/// `*p`, `p->`, `list[i]`, `list.back()`, `std::move(p)`, `shared_from_this()`; and what a call
/// makes that is seen nowhere else.
ObjectName Reader::objectOfCall(const CallExpr &Call) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (Op && followsPointer(*Op))
    return objectOf(Op->getArg(0));
  const Effect *E = effectOf(Call);
  if (E && (E->What == Does::Element || E->What == Does::Forward1))
    return objectOf(objectOrFirst(&Call));
  return isOwningPointer(Call.getType()) ? ObjectName(&Call) : ObjectName(); // std::make_shared
}

ObjectName Reader::objectOf(const Expr *E) {
  E = strip(E);
  if (!E || E->getType().isNull() ||
      !(isPointerToObject(E->getType()) || keepsOthersAlive(E->getType())))
    return {};
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E); Made && Made->getNumArgs() == 1)
    return objectOf(Made->getArg(0)); // one smart pointer from another, or from `new`
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isa<VarDecl, BindingDecl>(Ref->getDecl()) ? objectOfVar(*Ref->getDecl()) : ObjectName();
  if (isa<CXXThisExpr>(E))
    return &Function;
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
    return objectOf(Op->getSubExpr());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return objectOfMember(*M);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return objectOfCall(*Call);
  return isa<CXXNewExpr>(E) ? ObjectName(E) : ObjectName();
}

/// The member that \p E names, or whose element it names.
std::optional<Slot> Reader::slotOf(const Expr *E) {
  E = strip(E);
  if (const auto *Call = dyn_cast_or_null<CallExpr>(E)) {
    const Effect *Of = effectOf(*Call);
    return Of && Of->What == Does::Element ? slotOf(objectOrFirst(Call)) : std::nullopt;
  }
  const auto *M = dyn_cast_or_null<MemberExpr>(E);
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (!Field || !(keepsOthersAlive(Field->getType()) || isFunctionObject(Field->getType())))
    return std::nullopt;
  return Slot{objectOf(M->getBase()), Field, classAround(*M)};
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

void Reader::keep(const Slot &To, const Expr *Value, SourceLocation At) {
  const Expr *E = strip(Value);
  while (const auto *Wrapped = dyn_cast_or_null<CXXConstructExpr>(E)) {
    if (!isFunctionObject(Wrapped->getType()) || !Wrapped->getNumArgs())
      break;
    E = strip(Wrapped->getArg(0));
  }
  if (const auto *Lambda = dyn_cast_or_null<LambdaExpr>(E))
    return keepCaptures(To, *Lambda, At);
  ObjectName Owned = E && isOwningPointer(E->getType()) ? objectOf(E) : ObjectName();
  if (!To.Owner || !Owned)
    return;
  add({OwnershipStep::Links, At, To.Owner, Owned, To.Member, To.OwnerType, E->getType()});
  if (llvm::dyn_cast<const Expr *>(Owned))
    applyMaking(E, Owned); // made where it is kept
}

void Reader::replace(const Slot &Of, const Expr *Value, SourceLocation At) {
  OwnershipStep Step{OwnershipStep::Unlinks, At, Of.Owner, {}, Of.Member};
  Step.IsCut = isNull(Value);
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

/// A variable that is made from another pointer names the same object; else it is a new one.
void Reader::visitVar(const VarDecl &V) {
  if (!isPointerToObject(V.getType()) || !V.getInit())
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
    applyReturned(V.getInit(), objectOfVar(V));
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
  const CXXRecordDecl *Pointer = Call ? recordOf(Call->getType()) : nullptr;
  if (!Pointer || !isOwningPointer(Call->getType()) || typeArguments(*Pointer).empty())
    return;
  const CXXRecordDecl *Class = typeArguments(*Pointer).front()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return;
  for (const CXXConstructorDecl *C : Class->getDefinition()->ctors())
    if (C->getNumParams() == Call->getNumArgs() && !C->isCopyOrMoveConstructor())
      applyCallee(*C, Args(Call->getArgs(), Call->getNumArgs()), Object);
}

/// What a function of the file makes and returns becomes \p Object.
void Reader::applyReturned(const Expr *Made, ObjectName Object) {
  const auto *Call = dyn_cast_or_null<CallExpr>(strip(Made));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && !isa<CXXMethodDecl>(Callee))
    applyCallee(*Callee, Args(Call->getArgs(), Call->getNumArgs()), {}, Object);
}

/// Its parameters and its object have other names here, and so has what it returns.
void Reader::applyCallee(const FunctionDecl &Callee, Args Arguments, ObjectName Object,
                         ObjectName Result) {
  auto It = Known.find(Callee.getCanonicalDecl());
  if (It == Known.end())
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
  for (OwnershipStep Step : It->second) {
    Step.Owner = Named(Step.Owner);
    Step.Owned = Named(Step.Owned);
    bool IsSeen = Step.Owner && (Step.Owned || Step.What == OwnershipStep::Unlinks);
    if (IsSeen && Step.What != OwnershipStep::Renames)
      add(Step);
  }
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
  const Expr *Self = Member ? Member->getImplicitObjectArgument() : nullptr;
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (Method && Method->getParent()->isInStdNamespace() && !Method->isConst())
    return visitMethod(*Member, {Does::Shrink, None, {}}); // such as reset() of std::shared_ptr
  applyCallee(*Callee, Args(Call.getArgs(), Call.getNumArgs()),
              Self ? objectOf(Self) : ObjectName(),
              isOwningPointer(Call.getType()) ? ObjectName(&Call) : ObjectName());
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

} // namespace

OwnershipSteps ownershipSteps(Unit &U, const FunctionUnit &F, const OwnershipMap &Known) {
  return Reader(U, F, Known).run();
}

} // namespace tensorleak
