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
#include "checks/model/ClassNames.h"
#include "checks/source/Types.h"
#include "checks/source/UserCode.h"
#include "clang/AST/Attr.h"
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

/// The `this` that \p L has captured; null where it has none.
static const Expr *capturedThis(const LambdaExpr &L) {
  auto Init = L.capture_init_begin();
  for (const LambdaCapture &Capture : L.captures()) {
    if (Capture.capturesThis())
      return *Init;
    ++Init;
  }
  return nullptr;
}

/// A lambda handed to a function is taken to run there. Returns whether \p Call starts a thread of
/// which it is known what it does.
bool FactsGenerator::runLambdas(const Expr &Call, Args Operands) {
  if (startsThread(Call, Operands))
    return startThread(Call, Operands);
  for (const Expr *Arg : Operands) {
    const FunctionDecl *Body = lambdaBody(Arg);
    bool IsInGraph = llvm::any_of(
        Out->Splices, [&](const Splice &S) { return S.Call == &Call && S.Body == Body; });
    if (Body && !IsInGraph && !isa<CXXOperatorCallExpr>(Call))
      if (const Summary *S = summaryOf(Body))
        applySummary(Call, *Body, *S, elementsFor(*Body, Operands), capturedThis(*lambdaIn(Arg)));
  }
  return false;
}

/// What the parameters of \p Body stand for, which an algorithm of the library calls: the
/// elements between its iterators.
llvm::SmallVector<const Expr *, 2> FactsGenerator::elementsFor(const FunctionDecl &Body,
                                                               Args Operands) {
  llvm::SmallVector<const Expr *, 2> Elements;
  for (const ParmVarDecl *Param : Body.parameters()) {
    bool Holds = Model.holdsTensors(Param->getType());
    auto It = llvm::find_if(Operands, [&](const Expr *Arg) {
      return Holds && Model.isTensorIterator(strip(Arg)->getType());
    });
    Elements.push_back(It == Operands.end() ? nullptr : *It);
  }
  return Elements;
}

bool FactsGenerator::startsThread(const Expr &Call, Args Operands) {
  if (const auto *C = dyn_cast<CXXConstructExpr>(&Call))
    return Model.startsThread(*C->getConstructor(), Operands);
  const FunctionDecl *Callee = cast<CallExpr>(Call).getDirectCallee();
  return Callee && Model.startsThread(*Callee, Operands);
}

/// The function that \p E names, by itself or by its address.
static const FunctionDecl *functionIn(const Expr *E) {
  E = strip(E);
  if (const auto *U = dyn_cast_or_null<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf)
    E = strip(U->getSubExpr());
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E);
  return Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
}

/// `std::thread(f, x, y)`, `std::async([&] { ... })`: grad mode belongs to a thread, and a
/// new one begins with it on. Returns whether it is known what the thread does.
bool FactsGenerator::startThread(const Expr &Call, Args Operands) {
  for (size_t I = 0; I < Operands.size(); ++I) {
    const FunctionDecl *Body = lambdaBody(Operands[I]);
    Body = Body ? Body : functionIn(Operands[I]);
    const Summary *S = summaryOf(Body);
    if (!S)
      continue;
    Args Given = Operands.drop_front(I + 1);
    const auto *Method = dyn_cast<CXXMethodDecl>(Body);
    bool TakesObject = Method && !Method->isStatic() && !Method->getParent()->isLambda();
    const Expr *Object = TakesObject && !Given.empty() ? Given.front() : nullptr;
    const unsigned First = Out->Events.size();
    applySummary(Call, *Body, *S, Given.drop_front(Object ? 1 : 0), Object);
    Out->Events[First].OnNewThread = true;
    return true;
  }
  return false;
}

//===-- Functions ---------------------------------------------------------===//

/// Whether the body that runs may be another one.
static bool isOverridable(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && Method->isVirtual() && !Method->hasAttr<FinalAttr>() &&
         !Method->getParent()->hasAttr<FinalAttr>();
}

/// Of the very body of \p F, here or elsewhere.
const Summary *FactsGenerator::summaryOfBody(const FunctionDecl &F) const {
  if (auto It = Summaries.find(F.getCanonicalDecl()); It != Summaries.end())
    return &It->second;
  const ImportedFunction *Imported = Others.function(F);
  return Imported ? &Imported->Effects : nullptr;
}

/// Of what a call of \p F runs.
const Summary *FactsGenerator::summaryOf(const FunctionDecl *F) const {
  bool IsHere = F && Summaries.count(F->getCanonicalDecl());
  return F && (IsHere || !isOverridable(*F)) ? summaryOfBody(*F) : nullptr;
}

/// The part of \p Whole that \p Fields lead to, the outermost first.
PlaceId FactsGenerator::partAt(PlaceId Whole, llvm::ArrayRef<const ValueDecl *> Fields) {
  for (const ValueDecl *Field : Fields)
    Whole = Out->Places.intern({Out->Places[Whole].Root, Field, Whole});
  return Whole;
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
  return Root == NoId ? NoId : partAt(Root, P.Fields);
}

/// The place that the reference or pointer which \p Callee returns leads to.
PlaceId FactsGenerator::placeReturned(const FunctionDecl &Callee, const Summary &S, Args Operands,
                                      const Expr *Object) {
  const QualType T = Callee.getReturnType();
  if (S.ReturnedPlaces.size() != 1 || (!T->isReferenceType() && !T->isPointerType()))
    return NoId;
  return translate(S.ReturnedPlaces.front(), Operands, Object);
}

/// What the summary says of \p E besides its place and value.
void FactsGenerator::describe(Event &E, const SummaryEffect &Effect, Args Operands) const {
  E.Keyed = Effect.Keyed;
  E.KeyVaries = Effect.KeyVaries;
  E.Bounded = Effect.Bounded;
  E.Conditional = Effect.Conditional;
  E.Repeats = Effect.Repeats;
  E.RetainsGraph = Effect.RetainsGraph;
  E.Inner = Effect.At;
  E.OfObject = Effect.Where.Root == RelativePlace::This;
  if (Effect.KeyParam < Operands.size())
    setKey(E, Operands[Effect.KeyParam]);
}

/// A value that \p Call makes of the operands \p From.
ValueId FactsGenerator::fromCall(const Expr &Call, Args Operands, GraphOut Graph,
                                 llvm::ArrayRef<unsigned> From) {
  Value V;
  V.From = Source::UserCall;
  V.Graph = Graph;
  V.E = &Call;
  for (unsigned Index : From)
    if (Index < Operands.size() && Operands[Index])
      if (ValueId In = operand(Operands[Index]); In != NoId)
        V.Inputs.push_back(In);
  Out->Values.push_back(std::move(V));
  return ValueId(Out->Values.size() - 1);
}

void FactsGenerator::enterCallee(const Expr &Call, const FunctionDecl &Callee, Args Operands) {
  llvm::SmallVector<ValueId, 2> Arguments;
  for (const Expr *Arg : Operands)
    Arguments.push_back(operand(Arg));
  Event &Enter = emit(EventKind::UserCall, Call);
  Enter.Callee = &Callee;
  Enter.Args = std::move(Arguments);
  if (const ImportedFunction *Imported = Others.function(Callee); Imported && Imported->IsOpen)
    emit(EventKind::Opaque, Call);
  for (const Expr *Arg : Operands)
    if (Arg && Model.classify(strip(Arg)->getType()) == TypeClass::Module)
      if (PlaceId P = placeOf(Arg); P != NoId)
        emit(EventKind::Use, Call, P).Callee = &Callee;
}

void FactsGenerator::applyEffect(const Expr &Call, const FunctionDecl &Callee,
                                 const SummaryEffect &Effect, Args Operands, const Expr *Object) {
  PlaceId P = translate(Effect.Where, Operands, Object);
  if (P == NoId && Effect.Where.Root != RelativePlace::Anything)
    return;
  ValueId V = fromCall(Call, Operands, Effect.Graph, Effect.FromParams);
  if (ValueId Before = Effect.FromItself ? load(P) : NoId; Before != NoId)
    Out->Values[V].Inputs.push_back(Before);
  Out->Values[V].GraphWasRun = Effect.WasRun;
  Event &E = emit(Effect.Kind, Call, P, V);
  if (Effect.Kind == EventKind::Mutate)
    E.Args.push_back(V);
  E.Callee = &Callee;
  describe(E, Effect, Operands);
}

/// All that \p S says but what the call gives.
void FactsGenerator::applyEffects(const Expr &Call, const FunctionDecl &Callee, const Summary &S,
                                  Args Operands, const Expr *Object) {
  enterCallee(Call, Callee, Operands);
  for (const SummaryEffect &Effect : S.Effects)
    applyEffect(Call, Callee, Effect, Operands, Object);
}

void FactsGenerator::applySummary(const Expr &Call, const FunctionDecl &Callee, const Summary &S,
                                  Args Operands, const Expr *Object) {
  applyEffects(Call, Callee, S, Operands, Object);
  if (PlaceId P = placeReturned(Callee, S, Operands, Object); P != NoId) {
    emit(EventKind::Use, Call, P);
  } else if (Model.holdsTensors(Call.getType())) {
    ValueId Result = fromCall(Call, Operands, S.Returned, S.ReturnedFrom);
    ExprValues[&Call] = Result;
    Out->Values[Result].GraphWasRun = S.ReturnedWasRun;
    emit(EventKind::Compute, Call, NoId, Result).Callee = &Callee;
  }
}

/// What \p Body does, the call may do; its value, or none. What stands in the graph for the call
/// by itself is not done once more.
ValueId FactsGenerator::applyOneOfBodies(const CallExpr &Call, const FunctionDecl &Body,
                                         const Summary &S, Args Operands, const Expr *Object) {
  bool IsInGraph = llvm::any_of(Out->Splices, [&](const Splice &Each) {
    return Each.Call == &Call && Each.Body->getCanonicalDecl() == Body.getCanonicalDecl();
  });
  if (IsInGraph)
    return NoId;
  const size_t First = Out->Events.size();
  ExprValues.erase(&Call);
  applySummary(Call, Body, S, Operands, Object);
  for (Event &E : llvm::MutableArrayRef(Out->Events).drop_front(First))
    E.Conditional = true;
  auto Given = ExprValues.find(&Call);
  return Given == ExprValues.end() ? NoId : Given->second;
}

static void addFields(const CXXRecordDecl &Class, llvm::SmallVectorImpl<const FieldDecl *> &Out) {
  Out.append(Class.field_begin(), Class.field_end());
  for (const CXXBaseSpecifier &Base : Class.bases())
    if (const CXXRecordDecl *R = Base.getType()->getAsCXXRecordDecl(); R && R->hasDefinition())
      addFields(*R->getDefinition(), Out);
}

/// A body of \p Method that is not known has an object of a class that is not known either: it may
/// do anything with what it is given and with the members that all these classes have, but not
/// with those of the others.
void FactsGenerator::applyUnknownBody(const CallExpr &Call, const CXXMethodDecl &Method,
                                      Args Operands, const Expr *Object) {
  emit(EventKind::Opaque, Call);
  for (ValueId V : tensorOperands(Operands))
    emit(EventKind::Escape, Call, placeBehind(V), V);
  const PlaceId Whole = Object ? placeOf(Object) : NoId;
  if (Whole == NoId)
    return;
  llvm::SmallVector<const FieldDecl *, 4> Fields;
  addFields(*Method.getParent(), Fields);
  for (const FieldDecl *Field : Fields)
    emit(EventKind::Unknown, Call, Out->Places.intern({Out->Places[Whole].Root, Field, Whole}))
        .Callee = &Method;
}

/// A method that only derived classes implement. What runs a module, the model knows by itself.
bool FactsGenerator::isOfInterface(const FunctionDecl &Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  return Method && Method->isPureVirtual() && !Model.isModuleClass(*Method->getParent());
}

/// A virtual method may be one of several, in this file or in others. False where this is no such
/// call.
bool FactsGenerator::applyBodies(const CallExpr &Call, const FunctionDecl &Callee, Args Operands,
                                 const Expr *Object) {
  auto Bodies = Targets.bodiesOf(Callee);
  if (isOfInterface(Callee) && Bodies.Known.empty()) // what another file tells of it
    Bodies.Known.push_back(&Callee);
  else if (Bodies.Known.empty() || (Bodies.Known.size() == 1 && Bodies.Known.front() == &Callee) ||
           isOver(Budget::CallBodies, Bodies.Known.size()))
    return false;
  Value Choice;
  Choice.From = Source::Group;
  unsigned Known = 0;
  for (const FunctionDecl *Body : Bodies.Known)
    if (const Summary *S = summaryOfBody(*Body); S && ++Known)
      if (ValueId V = applyOneOfBodies(Call, *Body, *S, Operands, Object); V != NoId)
        Choice.Inputs.push_back(V);
  if (Known && !(Bodies.AreAll && Known == Bodies.Known.size()))
    applyUnknownBody(Call, cast<CXXMethodDecl>(Callee), Operands, Object);
  if (!Choice.Inputs.empty())
    ExprValues[&Call] = addValue(&Call, std::move(Choice));
  return Known > 0;
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
  bool IsHandle = Class == TypeClass::Module || Class == TypeClass::Optimizer ||
                  sharedContainer(strip(Arg)->getType());
  return Param.isNull() || mayWriteThrough(Param) || IsHandle || Arg->getType()->isPointerType();
}

void FactsGenerator::applyUnknown(const CallExpr &Call, Args Operands, const Expr *Object) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const size_t Enter = Out->Events.size();
  const bool IsOpaque = !Callee || !isInLibraryHeader(*Callee);
  if (IsOpaque)
    emit(EventKind::Opaque, Call).Callee = Callee;
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
  const ValueId Result = addValue(&Call, std::move(V));
  if (IsOpaque)
    Out->Events[Enter].Result = Result;
}

} // namespace tensorleak
