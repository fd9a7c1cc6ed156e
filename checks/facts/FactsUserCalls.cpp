//===-- FactsUserCalls.cpp - Calls to the user's own functions -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function whose body was seen, here or in another file of the project, becomes the effects of
// its summary; of any other, what it is handed may go anywhere.
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/Budgets.h"
#include "checks/source/Types.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Lambdas -----------------------------------------------------------===//

/// The lambda that \p E is, names, or is wrapped around.
const LambdaExpr *FactsGenerator::lambdaIn(const Expr *E) const {
  E = strip(E);
  for (unsigned Names = 0; E && !isOver(Budget::LambdaNames, Names); ++Names) {
    if (const auto *L = dyn_cast<LambdaExpr>(E))
      return L;
    const Expr *Next = nullptr;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
      Next = V && !isa<ParmVarDecl>(V) ? V->getInit() : nullptr;
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
      Next = C->getNumArgs() >= 1 ? C->getArg(0) : nullptr; // std::function from a lambda
    }
    E = strip(Next);
  }
  return nullptr;
}

const FunctionDecl *FactsGenerator::lambdaBody(const Expr *E) const {
  const LambdaExpr *L = lambdaIn(E);
  return L ? L->getCallOperator() : nullptr;
}

/// A lambda handed to a function is taken to run there.
void FactsGenerator::runLambdas(const Expr &Call, Args Operands) {
  for (const Expr *Arg : Operands) {
    const FunctionDecl *Body = lambdaBody(Arg);
    if (Body && !isa<CXXOperatorCallExpr>(Call))
      if (const Summary *S = summaryOf(Body))
        applySummary(Call, *Body, *S, {}, nullptr);
  }
}

//===-- Functions ---------------------------------------------------------===//

const Summary *FactsGenerator::summaryOf(const FunctionDecl *F) const {
  if (!F)
    return nullptr;
  if (auto It = Summaries.find(F->getCanonicalDecl()); It != Summaries.end())
    return &It->second;
  const ImportedFunction *Imported = Others.function(*F);
  return Imported ? &Imported->Effects : nullptr;
}

PlaceId FactsGenerator::translate(const RelativePlace &P, Args Operands, const Expr *Object) {
  PlaceId Root = NoId;
  switch (P.Root) {
  case RelativePlace::Anything:
    return NoId;
  case RelativePlace::Param:
    Root = P.ParamIndex < Operands.size() ? placeOf(Operands[P.ParamIndex]) : NoId;
    break;
  case RelativePlace::This:
    Root = Object ? placeOf(Object) : NoId;
    break;
  case RelativePlace::Variable:
    Root = placeOfVar(*P.Var);
    break;
  }
  for (const ValueDecl *Field : P.Fields)
    if (Root != NoId)
      Root = Out->Places.intern({Out->Places[Root].Root, Field, Root});
  return Root;
}

void FactsGenerator::applySummary(const Expr &Call, const FunctionDecl &Callee, const Summary &S,
                                  Args Operands, const Expr *Object) {
  llvm::SmallVector<ValueId, 2> Arguments;
  for (const Expr *Arg : Operands)
    Arguments.push_back(operand(Arg));
  Event &Enter = emit(EventKind::UserCall, Call);
  Enter.Callee = &Callee;
  Enter.Args = std::move(Arguments);
  auto ValueOf = [&](GraphOut Graph, llvm::ArrayRef<unsigned> From) {
    Value V;
    V.From = Source::UserCall;
    V.Graph = Graph;
    V.E = &Call;
    for (unsigned Index : From)
      if (Index < Operands.size())
        if (ValueId In = operand(Operands[Index]); In != NoId)
          V.Inputs.push_back(In);
    Out->Values.push_back(std::move(V));
    return ValueId(Out->Values.size() - 1);
  };
  if (const ImportedFunction *Imported = Others.function(Callee); Imported && Imported->IsOpen)
    emit(EventKind::Opaque, Call);
  for (const Expr *Arg : Operands)
    if (Model.classify(strip(Arg)->getType()) == TypeClass::Module)
      if (PlaceId P = placeOf(Arg); P != NoId)
        emit(EventKind::Use, Call, P).Callee = &Callee;
  for (const SummaryEffect &Effect : S.Effects) {
    PlaceId P = translate(Effect.Where, Operands, Object);
    if (P == NoId && Effect.Where.Root != RelativePlace::Anything)
      continue;
    ValueId V = ValueOf(Effect.Graph, Effect.FromParams);
    Event &E = emit(Effect.Kind, Call, P, V);
    if (Effect.Kind == EventKind::Mutate)
      E.Args.push_back(V);
    E.Keyed = Effect.Keyed;
    E.KeyVaries = Effect.KeyVaries;
    E.Bounded = Effect.Bounded;
    E.Callee = &Callee;
    E.Inner = Effect.At;
  }
  if (Model.holdsTensors(Call.getType())) {
    ValueId Result = ValueOf(S.Returned, S.ReturnedFrom);
    ExprValues[&Call] = Result;
    Out->Values[Result].GraphWasRun = S.ReturnedWasRun;
    emit(EventKind::Compute, Call, NoId, Result).Callee = &Callee;
  }
}

/// The type of the parameter that takes argument \p I of \p Call; null for none that is seen.
static QualType parameterType(const CallExpr &Call, unsigned I) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  bool ObjectIsFirst = isa<CXXOperatorCallExpr>(Call) && isa_and_nonnull<CXXMethodDecl>(Callee) &&
                       !cast<CXXMethodDecl>(Callee)->isStatic();
  if (ObjectIsFirst && I-- == 0)
    return {}; // the object itself
  return Callee && I < Callee->getNumParams() ? Callee->getParamDecl(I)->getType() : QualType();
}

/// Whether a call of unseen code may change what \p Arg holds, or let go of it.
bool FactsGenerator::mayChange(const CallExpr &Call, unsigned I) {
  const Expr *Arg = Call.getArg(I);
  if (Model.isPlainData(strip(Arg)->getType()))
    return false;
  QualType Param = parameterType(Call, I);
  TypeClass Class = Model.classify(strip(Arg)->getType());
  bool IsHandle = Class == TypeClass::Module || Class == TypeClass::Optimizer;
  return Param.isNull() || mayWriteThrough(Param) || IsHandle || Arg->getType()->isPointerType();
}

/// `++it`, `it != end`, `last - 1`: of the C++ library's iterators, which only look.
static bool isIteratorStep(const FunctionDecl *Callee) {
  if (!Callee || !Callee->isOverloadedOperator())
    return false;
  const DeclContext *Space = Callee->getEnclosingNamespaceContext();
  const auto *Named = dyn_cast<NamespaceDecl>(Space);
  if (!Callee->isInStdNamespace() && !(Named && Named->getName() == "__gnu_cxx"))
    return false;
  switch (Callee->getOverloadedOperator()) {
  case OO_PlusPlus:
  case OO_MinusMinus:
  case OO_Plus:
  case OO_Minus:
  case OO_PlusEqual:
  case OO_MinusEqual:
  case OO_EqualEqual:
  case OO_ExclaimEqual:
  case OO_Less:
  case OO_Greater:
  case OO_LessEqual:
  case OO_GreaterEqual:
    return true;
  default:
    return false;
  }
}

void FactsGenerator::applyUnknown(const CallExpr &Call, Args Operands, const Expr *Object) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (isIteratorStep(Callee))
    return;
  if (!Callee || !isLibraryHeader(Context.getSourceManager(), Callee->getLocation()))
    emit(EventKind::Opaque, Call);
  auto Values = tensorOperands(Operands);
  for (ValueId V : Values)
    emit(EventKind::Escape, Call, placeBehind(V), V);
  if (Object && !Model.isPlainData(strip(Object)->getType()))
    if (PlaceId P = placeOf(Object); P != NoId)
      emit(EventKind::Unknown, Call, P).Callee = Callee;
  for (unsigned I = 0; I < Call.getNumArgs(); ++I)
    if (PlaceId P = mayChange(Call, I) ? placeOf(Call.getArg(I)) : NoId; P != NoId)
      emit(EventKind::Unknown, Call, P).Callee = Callee;
  if (!Model.holdsTensors(Call.getType()))
    return;
  bool OfModule = Object && Model.classify(strip(Object)->getType()) == TypeClass::Module;
  if (OfModule) {
    Effect Runs{Does::Forward, Assumed, Callee && Callee->getIdentifier() ? Callee->getName() : ""};
    emit(EventKind::Forward, Call, placeOf(Object));
    compute(Call, Runs, Operands);
    return;
  }
  Value V;
  V.From = Source::Unknown;
  V.Inputs = Values;
  addValue(&Call, std::move(V));
}

} // namespace tensorleak
