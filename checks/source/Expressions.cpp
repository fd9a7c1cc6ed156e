//===-- Expressions.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Expressions.h"

#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace tensorleak {

static const Expr *stripCopy(const CXXConstructExpr &C) {
  const CXXConstructorDecl *Ctor = C.getConstructor();
  bool Copies = Ctor->isCopyOrMoveConstructor() && C.getNumArgs() >= 1;
  return Copies ? C.getArg(0) : nullptr;
}

const Expr *strip(const Expr *E) {
  while (E) {
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(Inner))
      Inner = B->getSubExpr();
    else if (const auto *C = dyn_cast<CXXConstructExpr>(Inner); C && stripCopy(*C))
      Inner = stripCopy(*C);
    else if (const auto *C = dyn_cast<ExplicitCastExpr>(Inner))
      Inner = C->getSubExpr();
    else if (const auto *D = dyn_cast<CXXDefaultArgExpr>(Inner))
      Inner = D->getExpr();
    if (Inner == E)
      return E;
    E = Inner;
  }
  return E;
}

bool mentions(const Stmt *S, llvm::function_ref<bool(const Expr &)> Is) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && Is(*E))
    return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) { return mentions(Child, Is); });
}

bool callsStd(const CallExpr &Call, llvm::StringRef Name) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Callee->isInStdNamespace() && !isa<CXXMethodDecl>(Callee) &&
         Callee->getIdentifier() && Callee->getName() == Name;
}

bool yieldsItsArgument(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  switch (Callee ? Callee->getBuiltinID() : 0) {
  case Builtin::BImove:
  case Builtin::BIforward:
  case Builtin::BImove_if_noexcept:
  case Builtin::BIas_const:
  case Builtin::BI__builtin_expect:
  case Builtin::BI__builtin_expect_with_probability:
  case Builtin::BI__builtin_unpredictable:
    return true;
  default:
    return false;
  }
}

const Expr *objectOrFirst(const Expr *E) {
  if (const auto *Method = dyn_cast_or_null<CXXMemberCallExpr>(E))
    return Method->getImplicitObjectArgument();
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  return Call && Call->getNumArgs() ? Call->getArg(0) : nullptr;
}

/// The other arguments are the parameters' own: `std::string("loss")` has an allocator.
static bool isFirstAlone(const CXXConstructExpr &C) {
  return C.getNumArgs() > 0 && llvm::all_of(llvm::drop_begin(C.arguments()), [](const Expr *Arg) {
           return isa<CXXDefaultArgExpr>(Arg);
         });
}

std::optional<ConstantKey> constantKey(const Expr *Key, const ASTContext &Context) {
  const Expr *E = strip(Key);
  if (const auto *C = dyn_cast_or_null<CXXConstructExpr>(E))
    return isFirstAlone(*C) ? constantKey(C->getArg(0), Context) : std::nullopt;
  if (const auto *Text = dyn_cast_or_null<StringLiteral>(E))
    return ConstantKey{int64_t(llvm::xxh3_64bits(Text->getBytes()) >> 2), Text->getBytes()};
  Expr::EvalResult Result;
  bool IsKnown = E && !E->isValueDependent() && E->getType()->isIntegralOrEnumerationType() &&
                 E->EvaluateAsInt(Result, Context);
  auto Number = IsKnown ? Result.Val.getInt().tryExtValue() : std::nullopt;
  return Number ? std::optional(ConstantKey{*Number, {}}) : std::nullopt;
}

/// `{q}` in `int *p{q};`
static bool isBracedScalar(const InitListExpr &List) {
  return List.getNumInits() == 1 && List.getInit(0) && !List.getType().isNull() &&
         List.getType()->isScalarType();
}

const Expr *bare(const Expr *E) {
  while (E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
      E = T->getSubExpr();
    else if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
      E = B->getSubExpr();
    else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
      E = D->getExpr();
    else if (const auto *Call = dyn_cast<CallExpr>(E); Call && yieldsItsArgument(*Call))
      E = Call->getArg(0);
    else if (const Expr *Yielded = yieldedAtOnce(*E))
      E = Yielded;
    else if (const auto *List = dyn_cast<InitListExpr>(E); List && isBracedScalar(*List))
      E = List->getInit(0);
    else
      return E;
  }
  return E;
}

bool followsPointer(const CXXOperatorCallExpr &Op) {
  return Op.getNumArgs() == 1 && (Op.getOperator() == OO_Arrow || Op.getOperator() == OO_Star);
}

ElementNamed elementNamed(const Stmt &S) {
  if (const auto *Array = dyn_cast<ArraySubscriptExpr>(&S))
    return {Array->getBase(), Array->getIdx()};
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
  bool IsSubscript = Op && Op->getOperator() == OO_Subscript && Op->getNumArgs() == 2;
  return IsSubscript ? ElementNamed{Op->getArg(0), Op->getArg(1)} : ElementNamed();
}

const LambdaExpr *lambdaCalledAtOnce(const Expr &E) {
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
  bool Calls = Call && Call->getOperator() == OO_Call;
  return Calls ? dyn_cast<LambdaExpr>(bare(Call->getArg(0))) : nullptr;
}

static bool hasEffect(const Stmt &S) {
  const auto *Op = dyn_cast<UnaryOperator>(&S);
  const auto *Set = dyn_cast<BinaryOperator>(&S);
  return isa<CallExpr, CXXConstructExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, StmtExpr>(S) ||
         (Op && Op->isIncrementDecrementOp()) || (Set && Set->isAssignmentOp());
}

static bool branches(const Stmt &S) {
  const auto *Op = dyn_cast<BinaryOperator>(&S);
  return isa<AbstractConditionalOperator>(S) || (Op && Op->isLogicalOp());
}

const Expr *yieldedAtOnce(const Expr &E) {
  const LambdaExpr *L = lambdaCalledAtOnce(E);
  const auto *Body = L ? dyn_cast<CompoundStmt>(L->getBody()) : nullptr;
  bool IsPlain =
      Body && Body->size() == 1 && !L->isMutable() && L->getCallOperator()->getNumParams() == 0 &&
      llvm::none_of(L->captures(), [&](const LambdaCapture &C) { return L->isInitCapture(&C); });
  const auto *Return = IsPlain ? dyn_cast<ReturnStmt>(Body->body_front()) : nullptr;
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  return Value && !(anyBelow(Value, branches) && anyBelow(Value, hasEffect)) ? Value : nullptr;
}

} // namespace tensorleak
