//===-- SplicedCalls.cpp - Which calls have their bodies in the graph -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/splicing/Splicing.h"

#include "checks/Budgets.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

/// A function whose body can stand in the place of the call.
bool Splicer::hasBodyToSplice(const FunctionDecl *F) const {
  const FunctionDecl *Body = nullptr;
  if (!F || !F->hasBody(Body) || Body->isVariadic() || Body->isMain() ||
      isa<CoroutineBodyStmt, CXXTryStmt>(Body->getBody()) ||
      isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(Body))
    return false;
  auto Known = Summaries.find(F->getCanonicalDecl());
  return Known != Summaries.end() && F->getCanonicalDecl() != Facts.Function->getCanonicalDecl() &&
         !Used.count(F->getCanonicalDecl());
}

/// Nothing happens in it that the analyses look at.
bool Splicer::isIdle(const FunctionDecl &F) const {
  auto Known = Summaries.find(F.getCanonicalDecl());
  return Known != Summaries.end() && Known->second.IsIdle;
}

static bool isLambdaBody(const FunctionDecl *F) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  return Method && Method->getParent()->isLambda();
}

/// What the parameter of a spliced body is given, which stands in \p In from then on.
const Expr *Splicer::whatIsGiven(const ParmVarDecl &Param, SpliceId &In) const {
  for (; In != NoId; In = Facts.Splices[In].Around) {
    const Splice &S = Facts.Splices[In];
    const unsigned I = Param.getFunctionScopeIndex();
    if (S.Body != Param.getDeclContext() || I >= S.Operands.size())
      continue;
    In = S.Around;
    return S.Operands[I];
  }
  return nullptr;
}

/// What a lambda runs; of `[](auto x)`, which is a template, the only instance.
static const FunctionDecl *bodyOf(const LambdaExpr &L) {
  const FunctionTemplateDecl *Template = L.getDependentCallOperator();
  if (!Template)
    return L.getCallOperator();
  auto Instances = Template->specializations();
  bool IsOne =
      Instances.begin() != Instances.end() && std::next(Instances.begin()) == Instances.end();
  return IsOne ? *Instances.begin() : nullptr;
}

/// The one expression that names what \p E calls: behind an address, a wrapper, a key.
static const Expr *namedBehind(const Expr &E) {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E))
    return Op->getOperator() == OO_Subscript ? Op->getArg(0) : nullptr;
  if (const auto *C = dyn_cast<CXXConstructExpr>(&E))
    return C->getNumArgs() >= 1 ? C->getArg(0) : nullptr; // std::function
  const auto *U = dyn_cast<UnaryOperator>(&E);
  return U && (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref) ? U->getSubExpr()
                                                                          : nullptr;
}

Splicer::Callees Splicer::callablesIn(const CallTargets::Several<Expr> &Put, SpliceId In) const {
  Callees Out;
  Out.AreAll = Put.AreAll;
  for (const Expr *Each : Put.Known) {
    Callees Of = callablesIn(Each, In);
    Out.AreAll &= Of.AreAll;
    for (const FunctionDecl *F : Of.Known)
      if (!llvm::is_contained(Out.Known, F))
        Out.Known.push_back(F);
  }
  return Out;
}

static const ValueDecl *variableOrMemberIn(const Expr &E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
    return Ref->getDecl();
  const auto *M = dyn_cast<MemberExpr>(&E);
  return M ? M->getMemberDecl() : nullptr;
}

/// The functions and lambdas that \p E names, by itself or through variables and parameters.
Splicer::Callees Splicer::callablesIn(const Expr *E, SpliceId In) const {
  constexpr bool AreAll = true;
  for (unsigned Names = 0; E && !isOver(Budget::LambdaNames, Names); ++Names) {
    E = strip(E);
    if (const auto *L = dyn_cast<LambdaExpr>(E)) {
      const FunctionDecl *Body = bodyOf(*L);
      return Body ? Callees{{Body}, AreAll} : Callees{{}, !AreAll};
    }
    const ValueDecl *D = variableOrMemberIn(*E);
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(D))
      return Targets.bodiesOf(*F);
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(D);
    const Expr *Next = Param ? whatIsGiven(*Param, In) : namedBehind(*E);
    if (D && !Next) {
      auto Put = Targets.putInto(*D);
      if (!Put.Known.empty() && !Put.only())
        return callablesIn(Put, In);
      const auto *V = dyn_cast<VarDecl>(D);
      bool HasInit = V && !Param && !V->isCXXForRangeDecl();
      Next = Put.only() ? Put.only() : HasInit ? V->getInit() : nullptr;
    }
    E = Next;
  }
  return {{}, !AreAll};
}

Splicer::Callees Splicer::calleesOf(const CallExpr &Call, SpliceId In) const {
  const FunctionDecl *Direct = Call.getDirectCallee();
  if (!Direct)
    return callablesIn(Call.getCallee(), In);
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  const auto *Method = dyn_cast<CXXMethodDecl>(Direct);
  bool IsFunctionObject = Op && Op->getOperator() == OO_Call && Method &&
                          Method->getParent()->isInStdNamespace(); // std::function
  return IsFunctionObject ? callablesIn(Op->getArg(0), In) : Targets.bodiesOf(*Direct);
}

bool Splicer::takesCallable(const CallExpr &Call, SpliceId In) const {
  return llvm::any_of(Call.arguments(), [&](const Expr *Arg) {
    return hasBodyToSplice(callablesIn(Arg, In).only());
  });
}

/// In a loop, or in a body that is here because of one.
bool Splicer::isPartOfStep(const Stmt &S, SpliceId In) const {
  if (In != NoId)
    return true;
  for (const Stmt *P = Parents.getParent(&S); P; P = Parents.getParent(P))
    if (isLoop(*P))
      return true;
  return false;
}

bool Splicer::isToSplice(const FunctionDecl *F) const {
  return hasBodyToSplice(F) && (isLambdaBody(F) || !Model.effectOf(*F));
}

Splice Splicer::spliceOf(const CallExpr &Call, const FunctionDecl &Callee, SpliceId In) const {
  Splice S;
  S.Call = &Call;
  S.Around = In;
  S.Body = Callee.getDefinition();
  llvm::ArrayRef<const Expr *> Arguments(Call.getArgs(), Call.getNumArgs());
  const auto *Direct = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (isa<CXXOperatorCallExpr>(Call) && Direct && !Direct->isStatic()) {
    S.Object = Arguments.front();
    Arguments = Arguments.drop_front();
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    S.Object = Member->getImplicitObjectArgument();
  }
  S.Operands.assign(Arguments.begin(), Arguments.end());
  return S;
}

Splicer::Bodies Splicer::userCall(const CallExpr &Call, SpliceId In) const {
  const Callees Called = calleesOf(Call, In);
  if (Called.Known.empty() || isOver(Budget::CallBodies, Called.Known.size()))
    return {};
  const bool Takes = takesCallable(Call, In);
  if (!Takes && !isPartOfStep(Call, In))
    return {};
  Bodies Out;
  Out.AreAll = Called.AreAll;
  for (const FunctionDecl *F : Called.Known) {
    if (!isToSplice(F))
      Out.AreAll = false;
    else if (isIdle(*F) && !Takes)
      Out.MayBeNone = true;
    else
      Out.Each.push_back(spliceOf(Call, *F, In));
  }
  return Out;
}

/// `std::for_each(x.begin(), x.end(), [&](...) { ... })`: an algorithm of the library that is
/// given a range, or where one begins and how long it is, runs the lambda for each element.
std::optional<Splice> Splicer::algorithm(const CallExpr &Call, SpliceId In) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->isInStdNamespace() || isa<CXXMethodDecl>(Callee) || Call.getNumArgs() < 3)
    return std::nullopt;
  QualType First = strip(Call.getArg(0))->getType(), Last = strip(Call.getArg(1))->getType();
  const FunctionDecl *Body = callablesIn(Call.getArg(Call.getNumArgs() - 1), In).only();
  bool IsRange = First.getCanonicalType().getUnqualifiedType() ==
                     Last.getCanonicalType().getUnqualifiedType() ||
                 Last->isIntegerType();
  if (!IsRange || !hasBodyToSplice(Body) || isIdle(*Body))
    return std::nullopt;
  Splice S;
  S.Call = &Call;
  S.Around = In;
  S.Body = Body->getDefinition();
  S.Repeats = true;
  for (const ParmVarDecl *Param : Body->parameters()) {
    const auto It = llvm::find_if(Call.arguments(), [&](const Expr *Arg) {
      return Model.holdsTensors(Param->getType()) && Model.isTensorIterator(strip(Arg)->getType());
    });
    S.Operands.push_back(It == Call.arg_end() ? nullptr : *It);
  }
  return S;
}

Splicer::Bodies Splicer::bodiesFor(const Stmt &S, SpliceId In) const {
  const auto *Call = dyn_cast<CallExpr>(&S);
  if (!Call)
    return {};
  Bodies Found = userCall(*Call, In);
  if (Found.Each.empty())
    if (auto Algorithm = algorithm(*Call, In))
      return {{std::move(*Algorithm)}};
  return Found;
}

} // namespace tensorleak
