//===-- OutOfPlaceOp.cpp - tensor-out-of-place-op -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that makes a second large tensor while its input dies at once. Speaks
// only where no graph can be involved: under grad, the in-place form can keep
// memory for ever where this one keeps none (docs/patterns.md, row 15).
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

#include "checks/questions/Handles.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class Checker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      const Event &E = Facts.Events[I];
      if (E.Kind != EventKind::Compute || !F.State.AtEvent[I].Reached)
        continue;
      const Value &V = Facts.Values[E.Val];
      if (V.From != Source::Api || V.Inputs.empty() || !V.E)
        continue;
      if (V.Api.has(HasInPlace))
        checkElementwise(V, E.Val, I);
      else if (V.Api.has(Accumulates) && V.Inputs.size() > 1)
        checkArgument(V, E.Val, I);
    }
    for (unsigned I = 0; I < Facts.Events.size(); ++I)
      checkCopyBack(I);
  }

private:
  void checkElementwise(const Value &V, ValueId Id, unsigned Index);
  void checkArgument(const Value &V, ValueId Id, unsigned Index);
  void checkCopyBack(unsigned Index);
  bool gradIsOff(ValueId Id, unsigned Index) const;
  bool keepsType(const Value &V, ValueId Id) const;
  bool isLargeEnough(const TensorType &T, unsigned Index, bool InLoopOnly, Level &L) const;
  std::string inPlaceName(const Value &V) const;

  void addFix(Diagnosis &D, const Value &V, const Event &Store) const;
  const Event *storeBack(ValueId Id, PlaceId P, unsigned Index) const;
  Diagnosis &report(const Expr &At, Level L, std::string Message, const TensorType &T);
};

/// No graph can come of the op: a guard is in force, or no input has one.
bool Checker::gradIsOff(ValueId Id, unsigned Index) const {
  const EventState &At = F.State.AtEvent[Index];
  return At.GradMode == Mode::Off || F.State.Values[Id].Carries == Graph::No;
}

/// `x = op(x)`: the next write of \p P, if it is this value.
const Event *Checker::storeBack(ValueId Id, PlaceId P, unsigned Index) const {
  for (unsigned I = Index + 1; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (E.Place != P)
      continue;
    if (E.Kind == EventKind::Store)
      return E.Val == Id ? &E : nullptr;
    if (E.Kind != EventKind::Use)
      return nullptr;
  }
  return nullptr;
}

/// `x = x + y` becomes `x += y`. The callers have shown that no graph, no other
/// handle and no other type is involved.
void Checker::addFix(Diagnosis &D, const Value &V, const Event &Store) const {
  const auto *Assign = dyn_cast<CXXOperatorCallExpr>(Store.At);
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(V.E);
  bool IsPlain = Assign && Assign->getOperator() == OO_Equal && Op && Op->getNumArgs() == 2 &&
                 strip(Assign->getArg(1)) == Op && isa<DeclRefExpr>(strip(Op->getArg(0)));
  if (!IsPlain)
    return;
  D.Fixes.push_back(FixItHint::CreateReplacement(
      CharSourceRange::getTokenRange(Assign->getOperatorLoc(), Op->getOperatorLoc()),
      inPlaceName(V)));
}

static bool hasFloatingScalar(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E);
  return Call && llvm::any_of(Call->arguments(), [](const Expr *Arg) {
           return strip(Arg)->getType()->isFloatingType();
         });
}

/// The in-place form would give the same shape and dtype.
bool Checker::keepsType(const Value &V, ValueId Id) const {
  const TensorType &Result = F.State.Values[Id].Type;
  if (!Result.Element.size())
    return V.Inputs.size() == 1 &&
           !Result.hasFixedShape(); // one operand and a scalar: judged by the reader
  const TensorType &Self = F.State.SelfOf[Id].Type;
  if (Self.Element.size() && !(Self.Element == Result.Element))
    return false;
  if (!Result.Element.isFloating() && (V.Api.has(Floating) || hasFloatingScalar(V.E)))
    return false;
  return true;
}

bool Checker::isLargeEnough(const TensorType &T, unsigned Index, bool InLoopOnly, Level &L) const {
  if (auto Bytes = T.bytes()) {
    L = Level::Warning;
    return *Bytes >= U.options().minBytes(OutOfPlaceOp::Name);
  }
  L = Level::Note;
  return InLoopOnly && Facts.Events[Index].InLoop != NoId &&
         F.State.AtEvent[Index].GradMode == Mode::Off;
}

static std::string sizeOf(const TensorType &T) {
  std::string Size = describeSize(T);
  return Size.empty() ? Size : " of " + Size;
}

/// `x.add_`, for `x + 1` and `x.add(1)` alike.
std::string Checker::inPlaceName(const Value &V) const {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(V.E))
    return std::string(getOperatorSpelling(Op->getOperator())) + "=";
  return V.Api.Name.str() + "_";
}

void Checker::checkElementwise(const Value &V, ValueId Id, unsigned Index) {
  if (!gradIsOff(Id, Index) || !keepsType(V, Id))
    return;
  const Value &Self = Facts.Values[V.Inputs.front()];
  const TensorType &Type = F.State.Values[Id].Type;
  bool Dies = false;
  const Event *StoredBack = nullptr;
  std::string Input;
  if (Self.From == Source::Load) {
    PlaceId P = Self.Loaded;
    if (!isSoleHandle(U, Facts, P))
      return;
    StoredBack = storeBack(Id, P, Index);
    Dies = StoredBack || isDeadAfter(Facts, P, Index);
    Input = quoted(*Facts.Places[P].Decl);
  } else if (V.SelfIsTemporary && isFresh(Self)) {
    Dies = true;
    Input = "the temporary '" + sourceText(*Self.E, U.context()) + "'";
  }
  Level L;
  if (!Dies || !isLargeEnough(Type, Index, StoredBack, L))
    return;
  if (Type.Dims && !sameShape(F.State.SelfOf[Id].Type, Type))
    return; // broadcasting makes the result larger than what dies
  Diagnosis &D = report(*V.E, L,
                        "'" + sourceText(*V.E, U.context()) + "' makes a second tensor" +
                            sizeOf(Type) + " while " + Input + " dies here; the in-place form '" +
                            inPlaceName(V) + "' needs none",
                        Type);
  if (StoredBack && Type.bytes())
    addFix(D, V, *StoredBack);
}

static bool sameSource(const Expr *A, const Expr *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID First, Second;
  strip(A)->Profile(First, Context, /*Canonical=*/true);
  strip(B)->Profile(Second, Context, /*Canonical=*/true);
  return First == Second;
}

/// `p.grad().data() = p.grad().data() / n`: what is assigned to is no variable, so
/// the result is copied back into the same memory.
void Checker::checkCopyBack(unsigned Index) {
  const Event &E = Facts.Events[Index];
  const auto *Assign = dyn_cast_or_null<CXXOperatorCallExpr>(E.At);
  bool Writes = E.Kind == EventKind::GradStore || E.Kind == EventKind::Mutate;
  ValueId Made = E.Kind == EventKind::Mutate && !E.Args.empty() ? E.Args.front() : E.Val;
  if (!Writes || !Assign || Assign->getOperator() != OO_Equal || Made == NoId)
    return;
  const Value &V = Facts.Values[Made];
  const Expr *Self = objectOrFirst(V.E);
  if (V.From != Source::Api || !V.Api.has(HasInPlace) || !Self || !gradIsOff(Made, Index) ||
      !isa<CallExpr>(strip(Assign->getArg(0))) || !sameSource(Self, Assign->getArg(0), U.context()))
    return;
  report(*V.E, Level::Note,
         "'" + sourceText(*V.E, U.context()) +
             "' makes a second tensor and copies it back; the in-place form '" + inPlaceName(V) +
             "' needs none",
         F.State.Values[Made].Type);
}

/// What adds the product without making it first.
static std::string alternative(const Value &Argument) {
  if (Argument.Api.has(MatMul))
    return "'addmm_' adds the product without it";
  if (!Argument.Api.has(Scales))
    return {};
  return Argument.Inputs.size() > 1 ? "'addcmul_' adds the product without it"
                                    : "the 'alpha' argument scales without it";
}

void Checker::checkArgument(const Value &V, ValueId Id, unsigned Index) {
  const Value &Argument = Facts.Values[V.Inputs[1]];
  if (!isFresh(Argument) || !Argument.E || !gradIsOff(Id, Index))
    return;
  const TensorType &Type = F.State.Values[V.Inputs[1]].Type;
  std::string Instead = alternative(Argument);
  Level L;
  if (Instead.empty() || !isLargeEnough(Type, Index, /*InLoopOnly=*/true, L) ||
      (Argument.Api.has(MatMul) && !Type.hasFixedShape()))
    return;
  report(*Argument.E, L,
         "the temporary '" + sourceText(*Argument.E, U.context()) + "'" + sizeOf(Type) +
             " only lives to be added; " + Instead,
         Type);
}

Diagnosis &Checker::report(const Expr &At, Level L, std::string Message, const TensorType &T) {
  Diagnosis D(OutOfPlaceOp::Name, Kind::Peak, L, At.getExprLoc(), std::move(Message));
  D.Range = At.getSourceRange();
  setSize(D, T);
  D.Subject.Producers.push_back(At.getExprLoc());
  Out.push_back(std::move(D));
  return Out.back();
}

} // namespace

void OutOfPlaceOp::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<Checker>(File.unit(), Out);
}

} // namespace tensorleak
