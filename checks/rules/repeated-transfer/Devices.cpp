//===-- Devices.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/repeated-transfer/Devices.h"

#include "checks/Budgets.h"
#include "checks/flow/ValueWalk.h"
#include "checks/source/Expressions.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

static bool isTypeNamed(QualType T, llvm::StringRef Name) {
  T = T.getNonReferenceType();
  const TagDecl *Tag = T->getAsTagDecl();
  return Tag && Tag->getQualifiedNameAsString() == Name;
}

static bool names(const Expr *E, const VarDecl &V) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(strip(E));
  return Ref && Ref->getDecl() == &V;
}

/// Whether \p Call may write \p V through a reference. LibTorch's own functions take
/// devices by reference only to read them.
static bool mayWriteThrough(const CallExpr &Call, const VarDecl &V) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    if (!names(Call.getArg(I), V))
      continue;
    if (!Callee || I >= Callee->getNumParams())
      return true;
    QualType T = Callee->getParamDecl(I)->getType();
    if (T->isReferenceType() && !T->getPointeeType().isConstQualified() &&
        !isInLibraryHeader(*Callee))
      return true;
  }
  return false;
}

using Calls = llvm::DenseSet<const Stmt *>;

/// \p InView: calls whose bodies are looked at by themselves.
static bool isWritten(const Stmt *S, const VarDecl &V, const Calls &InView) {
  if (!S)
    return false;
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
      Op && Op->getOperator() == OO_Equal && names(Op->getArg(0), V))
    return true;
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(S))
    if (const CXXMethodDecl *M = Method->getMethodDecl();
        M && !M->isConst() && names(Method->getImplicitObjectArgument(), V))
      return true;
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && U->getOpcode() == UO_AddrOf && names(U->getSubExpr(), V))
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(S);
      Call && !isa<CXXOperatorCallExpr>(Call) && !InView.count(Call) && mayWriteThrough(*Call, V))
    return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return isWritten(Child, V, InView); });
}

/// Anywhere in the graph, by its name or that of a parameter which refers to it.
static bool isWritten(const FunctionFacts &In, const VarDecl &V) {
  Calls InView;
  for (const Splice &S : In.Splices)
    InView.insert(S.Call);
  if (llvm::any_of(In.bodies(), [&](const Stmt *Body) { return isWritten(Body, V, InView); }))
    return true;
  return llvm::any_of(In.Splices, [&](const Splice &S) {
    return llvm::any_of(S.Body->parameters(), [&](const ParmVarDecl *Param) {
      unsigned I = Param->getFunctionScopeIndex();
      return I < S.Operands.size() && names(S.Operands[I], V) && isWritten(In, *Param);
    });
  });
}

static bool isDeclaredIn(const FunctionFacts &Facts, const VarDecl &V) {
  return V.getDeclContext() == Facts.Function ||
         llvm::any_of(Facts.Splices, [&](const Splice &S) { return S.Body == V.getDeclContext(); });
}

/// What \p V has as long as it lives; null where that is not known.
static const Expr *valueOf(const VarDecl &V, const FunctionFacts &In) {
  if (const auto *Param = dyn_cast<ParmVarDecl>(&V)) {
    const unsigned I = Param->getFunctionScopeIndex();
    for (const Splice &S : In.Splices)
      if (S.Body == V.getDeclContext() && I < S.Operands.size() && !isWritten(In, V))
        return S.Operands[I];
    return nullptr;
  }
  if (V.getType().isConstQualified())
    return V.getInit();
  bool IsOwn = V.isLocalVarDecl() && !V.isStaticLocal() && isDeclaredIn(In, V);
  return IsOwn && !isWritten(In, V) ? V.getInit() : nullptr;
}

static DeviceKind kindOfEnumerator(const Expr &E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (E.isValueDependent() || !E.EvaluateAsInt(Result, Context))
    return DeviceKind::Unknown;
  // c10/core/DeviceType.h: CPU is 0.
  return Result.Val.getInt() == 0 ? DeviceKind::Host : DeviceKind::Accelerator;
}

/// The device named anywhere below \p S: an enumerator, a string, or a variable
/// that was made from one.
static std::optional<DeviceKind> deviceIn(const Stmt *S, const FunctionFacts &In) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (E && isTypeNamed(E->getType(), "c10::DeviceType"))
    return kindOfEnumerator(*E, In.Function->getASTContext());
  if (E && isa<AbstractConditionalOperator>(E))
    return DeviceKind::Unknown;
  bool NamesDevice = E && (isTypeNamed(E->getType(), "c10::Device") ||
                           isTypeNamed(E->getType(), "c10::TensorOptions"));
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S); Ref && NamesDevice) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    const Expr *Value = V ? valueOf(*V, In) : nullptr;
    return Value ? deviceIn(Value, In) : DeviceKind::Unknown;
  }
  if (NamesDevice && isa<MemberExpr>(E))
    return DeviceKind::Unknown;
  if (const auto *Text = dyn_cast_or_null<StringLiteral>(S))
    return Text->getString().starts_with("cpu") ? DeviceKind::Host : DeviceKind::Accelerator;
  if (!S)
    return std::nullopt;
  for (const Stmt *Child : S->children())
    if (auto Kind = deviceIn(Child, In))
      return Kind;
  // `x.device()`, a function of the user's: some device.
  if (E && isa<CallExpr>(E) && isTypeNamed(E->getType(), "c10::Device"))
    return DeviceKind::Unknown;
  return std::nullopt;
}

std::optional<DeviceKind> deviceNamedIn(const CallExpr &Call, const FunctionFacts &In) {
  for (const Expr *Arg : Call.arguments()) {
    bool IsTensor = isTypeNamed(Arg->getType(), "at::Tensor");
    if (IsTensor && isa<CXXMemberCallExpr>(Call))
      return DeviceKind::Unknown; // x.to(other)
    if (auto Kind = IsTensor ? std::nullopt : deviceIn(Arg, In))
      return Kind;
  }
  return std::nullopt;
}

/// A local variable, or a part of one, that never holds another tensor than one that this
/// function put there.
static bool isAlwaysStored(const FunctionFacts &Facts, PlaceId P) {
  if (Facts.Places[P].Root != Place::Local)
    return false;
  bool IsStored = false;
  for (const Event &E : Facts.Events) {
    if (!Facts.isIn(P, E.Place) || !events::keepsValue(E.Kind))
      continue;
    if (E.Declares && E.Val == NoId)
      continue; // it, or its parts one by one, are stored later
    if (E.Place != P || E.Val == NoId)
      return false;
    IsStored = true;
  }
  return IsStored;
}

namespace {

class HostFinder {
public:
  HostFinder(Unit &U, unsigned Depth) : U(U), Depth(Depth) {}
  bool isOnHost(const FunctionFacts &Facts, ValueId V) const;

private:
  ValueWalk::Next leadsOffHost(const FunctionFacts &Facts, const Value &Val) const;
  bool isReturnedOnHost(const Value &Val) const;

  Unit &U;
  unsigned Depth; ///< of calls in calls
};

/// A function of the file makes it, of nothing that it is given.
bool HostFinder::isReturnedOnHost(const Value &Val) const {
  const auto *Call = dyn_cast_or_null<CallExpr>(Val.E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const FunctionUnit *F = Callee ? U.find(*Callee) : nullptr;
  if (!F || F->HasErrors || isOver(Budget::ReturnCalls, Depth + 1))
    return false;
  bool Returns = false;
  for (const Event &E : F->Facts->Events) {
    if (E.Kind != EventKind::Return || E.In != NoId)
      continue;
    if (E.Val == NoId || !HostFinder(U, Depth + 1).isOnHost(*F->Facts, E.Val))
      return false;
    Returns = true;
  }
  return Returns;
}

/// From \p Val on, which an op or a call makes: not on when it is known to be on the host, found
/// when it may be elsewhere.
ValueWalk::Next HostFinder::leadsOffHost(const FunctionFacts &Facts, const Value &Val) const {
  using Next = ValueWalk::Next;
  const auto *Call = dyn_cast_or_null<CallExpr>(Val.E);
  if (Val.From == Source::UserCall)
    return isReturnedOnHost(Val) ? Next::Past : Next::Found;
  if (Val.From != Source::Api || !Call)
    return Next::Found;
  bool Chooses = Val.Api.What == Does::Create || Val.Api.What == Does::Blob || Val.Api.has(Moves);
  if (auto Named = Chooses ? deviceNamedIn(*Call, Facts) : std::nullopt)
    return *Named == DeviceKind::Host ? Next::Past : Next::Found;
  if (Val.Api.has(ToDevice) || Val.Api.What == Does::Forward)
    return Next::Found;
  if (!Val.Inputs.empty())
    return Next::Self;
  return Chooses ? Next::Past : Next::Found; // the default device; LibTorch's C++ API has no other
}

bool HostFinder::isOnHost(const FunctionFacts &Facts, ValueId V) const {
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.keptOnly().any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Group)
      return ValueWalk::Next::Into;
    if (Val.From != Source::Load)
      return leadsOffHost(Facts, Val);
    return isAlwaysStored(Facts, Val.Loaded) ? ValueWalk::Next::Into : ValueWalk::Next::Found;
  }) == ValueWalk::Answer::No;
}

} // namespace

bool isOnHost(Unit &U, const FunctionFacts &Facts, ValueId V) {
  return HostFinder(U, 0).isOnHost(Facts, V);
}

} // namespace tensorleak
