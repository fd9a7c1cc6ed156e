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

#include "checks/flow/state/EntryState.h"
#include "checks/questions/Handles.h"
#include "checks/questions/members/SoleHolders.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class OutOfPlaceOpChecker : FunctionChecker {
public:
  OutOfPlaceOpChecker(Handles &Known, SoleHolders &Holders, Unit &U, const FunctionUnit &F,
                      std::vector<Diagnosis> &Out)
      : FunctionChecker(U, F, Out), Known(Known), Holders(Holders), State(U.stateInCalls(F)) {}

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I)
      if (Facts.Events[I].Kind == EventKind::Compute && State.AtEvent[I].Reached &&
          isOfThisCallOnly(Facts.Events[I]))
        checkOp(I);
    for (unsigned I = 0; I < Facts.Events.size(); ++I)
      if (isOfThisCallOnly(Facts.Events[I]))
        checkCopyBack(I);
  }

private:
  void checkOp(unsigned Index);
  void checkElementwise(const Value &V, ValueId Id, unsigned Index);
  void checkArgument(const Value &V, ValueId Id, unsigned Index);
  void checkCopyBack(unsigned Index);
  std::optional<std::string> describeInput(const Value &V) const;
  bool gradIsOff(ValueId Id, unsigned Index) const;
  bool keepsType(const Value &V, ValueId Id) const;
  bool isInLoop(unsigned Index) const;
  bool isLargeEnough(const TensorType &T, unsigned Index, bool InLoopOnly, Level &L) const;
  std::string inPlaceName(const Value &V) const;

  void addFix(Diagnosis &D, const Value &V, const Event &Store) const;
  using ValueIds = llvm::SmallVector<ValueId, 2>;
  ValueIds chainOfOps(ValueId Id, ValueId Last) const;
  const Event *storeBack(ValueId Id, PlaceId P, unsigned Index) const;
  Diagnosis &report(const Expr &At, Level L, std::string Message, const TensorType &T);

  bool isElement(PlaceId P) const;
  const ValueDecl *holderOf(ValueId Self, const Event &StoredBack) const;
  Sole isHoldersLastUse(ValueId Id, ValueId Self, const Event &StoredBack);

  Handles &Known;
  SoleHolders &Holders;
  const StateResult &State;
};

void OutOfPlaceOpChecker::checkOp(unsigned Index) {
  ValueId Id = Facts.Events[Index].Val;
  const Value &V = Facts.Values[Id];
  if (V.From != Source::Api || V.Inputs.empty() || !V.E)
    return;
  if (V.Api.has(HasInPlace))
    checkElementwise(V, Id, Index);
  else if (V.Api.has(Accumulates) && V.Inputs.size() > 1)
    checkArgument(V, Id, Index);
}

/// No graph can come of the op: a guard is in force, or no input has one.
bool OutOfPlaceOpChecker::gradIsOff(ValueId Id, unsigned Index) const {
  const EventState &At = State.AtEvent[Index];
  return At.GradMode == Mode::Off || State.Values[Id].Carries == Graph::No;
}

/// The ops from \p Id to \p Last, each of which is called on what the one before gives and has an
/// in-place form: of `x * a + y`, the product and the sum. Empty where that is not so.
OutOfPlaceOpChecker::ValueIds OutOfPlaceOpChecker::chainOfOps(ValueId Id, ValueId Last) const {
  ValueIds Ops{Last};
  while (Last != NoId && Last != Id) {
    const Value &V = Facts.Values[Last];
    Last = V.From == Source::Api && V.Api.has(HasInPlace) && !V.Inputs.empty() ? V.Inputs.front()
                                                                               : NoId;
    Ops.push_back(Last);
  }
  return Last == Id ? Ops : ValueIds();
}

/// \p P is that of the elements of a list.
bool OutOfPlaceOpChecker::isElement(PlaceId P) const {
  const ValueDecl *Holder = Facts.Places[P].Decl;
  return Holder && !U.model().isTensor(Holder->getType());
}

/// `x = op(x)`: the next write of \p P, if it is this value, or made of it and \p P is a member
/// or an element: `x_ = op(x_) + y`. A variable's last use is seen where it is.
const Event *OutOfPlaceOpChecker::storeBack(ValueId Id, PlaceId P, unsigned Index) const {
  bool MayBePart = Facts.Places[P].isField() || isElement(P);
  for (unsigned I = Index + 1; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (E.Place != P)
      continue;
    if (E.Kind == EventKind::Store || E.Kind == EventKind::StoreWeak)
      return E.Val == Id || (MayBePart && !chainOfOps(Id, E.Val).empty()) ? &E : nullptr;
    if (E.Kind != EventKind::Use)
      return nullptr;
    MayBePart = false; // it is read again
  }
  return nullptr;
}

static bool sameSource(const Expr *A, const Expr *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID First, Second;
  strip(A)->Profile(First, Context, /*Canonical=*/true);
  strip(B)->Profile(Second, Context, /*Canonical=*/true);
  return First == Second;
}

/// `x = x + y` becomes `x += y`. The callers have shown that no graph, no other
/// handle and no other type is involved.
void OutOfPlaceOpChecker::addFix(Diagnosis &D, const Value &V, const Event &Store) const {
  const auto *Assign = dyn_cast<CXXOperatorCallExpr>(Store.At);
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(V.E);
  bool IsPlain = Assign && Assign->getOperator() == OO_Equal && Op && Op->getNumArgs() == 2 &&
                 strip(Assign->getArg(1)) == Op &&
                 sameSource(Op->getArg(0), Assign->getArg(0), U.context());
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
bool OutOfPlaceOpChecker::keepsType(const Value &V, ValueId Id) const {
  const TensorType &Result = State.Values[Id].Type;
  if (!Result.Element.size())
    return (V.Inputs.size() == 1 || (V.Api.has(LikeSelf) && !V.Api.has(Floating))) &&
           !Result.hasFixedShape(); // one operand and a scalar: judged by the reader
  const TensorType &Self = State.SelfOf[Id].Type;
  if (Self.Element.size() && !(Self.Element == Result.Element))
    return false;
  if (!Result.Element.isFloating() && (V.Api.has(Floating) || hasFloatingScalar(V.E)))
    return false;
  return true;
}

bool OutOfPlaceOpChecker::isLargeEnough(const TensorType &T, unsigned Index, bool InLoopOnly,
                                        Level &L) const {
  auto Least = T.leastBytes();
  const bool IsLarge = Least && *Least >= U.options().minBytes(OutOfPlaceOp::Name);
  L = IsLarge ? Level::Warning : Level::Note;
  return IsLarge || (!T.bytes() && InLoopOnly && isInLoop(Index));
}

/// Of this function, or of all its callers.
bool OutOfPlaceOpChecker::isInLoop(unsigned Index) const {
  return Facts.Events[Index].InLoop != NoId || F.runsInLoop();
}

static std::string sizeOf(const TensorType &T) {
  std::string Size = describeSize(T);
  return Size.empty() ? Size : " of " + Size;
}

/// `x.add_`, for `x + 1` and `x.add(1)` alike.
std::string OutOfPlaceOpChecker::inPlaceName(const Value &V) const {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(V.E))
    return Op->getNumArgs() == 1 ? "neg_"
                                 : std::string(getOperatorSpelling(Op->getOperator())) + "=";
  return V.Api.Name.str() + "_";
}

/// What dies at the op: a variable, or a temporary; nothing for what is not taken apart.
std::optional<std::string> OutOfPlaceOpChecker::describeInput(const Value &V) const {
  const Value &Self = Facts.Values[V.Inputs.front()];
  if (Self.From == Source::Load && Facts.Places[Self.Loaded].Decl)
    return (isElement(Self.Loaded) ? "an element of " : "") +
           quoted(*Facts.Places[Self.Loaded].Decl);
  bool IsTemporary =
      V.SelfIsTemporary && Self.E && (Self.From == Source::Api || Self.From == Source::UserCall);
  if (!IsTemporary)
    return std::nullopt;
  return "the temporary '" + sourceText(*Self.E, U.context()) + "'";
}

/// Whether the in-place form is called on the op's first tensor: `1 - x` has none, but `1 + x`
/// is `x += 1`.
static bool beginsWithTensor(const Value &V, ApiModel &Model) {
  const Expr *First = objectOrFirst(V.E);
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(V.E);
  bool Commutes = Op && (Op->getOperator() == OO_Plus || Op->getOperator() == OO_Star);
  return Commutes || (First && Model.isTensor(strip(First)->getType()));
}

/// Nothing in \p E but elements of the library's containers is asked for by a call.
static bool isPlainName(const Expr &E) {
  return !anyBelow(&E, [](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const auto *Method = Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
    const auto *Step = dyn_cast<UnaryOperator>(&S);
    return (Call && !(Method && Method->getParent()->isInStdNamespace())) ||
           (Step && Step->isIncrementDecrementOp());
  });
}

/// The member, global or list of which \p Self is read, and that \p StoredBack names in the same
/// way: `v[i] = op(v[i])`.
const ValueDecl *OutOfPlaceOpChecker::holderOf(ValueId Self, const Event &StoredBack) const {
  const Value &Read = Facts.Values[Self];
  if (const FieldDecl *Member = memberOfGiven(Facts, Read.Loaded))
    return Member;
  const ValueDecl *Holder = Facts.Places[Read.Loaded].Decl;
  const auto *Variable = dyn_cast_or_null<VarDecl>(Holder);
  const auto *Assign = dyn_cast_or_null<CXXOperatorCallExpr>(StoredBack.At);
  if (!Holder || !Read.E || !Assign ||
      (Variable && !Variable->hasGlobalStorage() && !isElement(Read.Loaded)))
    return nullptr;
  const Expr *To = Assign->getArg(0);
  return sameSource(Read.E, To, U.context()) && isPlainName(*To) ? Holder : nullptr;
}

/// What the holder of \p Self held when the function began; the event \p StoredBack puts the next
/// there, which \p Id is a part of.
Sole OutOfPlaceOpChecker::isHoldersLastUse(ValueId Id, ValueId Self, const Event &StoredBack) {
  const ValueDecl *Holder = holderOf(Self, StoredBack);
  if (!Holder)
    return Sole::No;
  const Sole Only = Holders.isOnlyHandle(*Holder);
  const bool IsUsedTwice = llvm::any_of(chainOfOps(Id, StoredBack.Val), [&](ValueId Op) {
    return llvm::any_of(llvm::drop_begin(Facts.Values[Op].Inputs),
                        [&](ValueId In) { return Holders.isAlias(F, In, *Holder); });
  });
  return IsUsedTwice ? Sole::No : Only;
}

void OutOfPlaceOpChecker::checkElementwise(const Value &V, ValueId Id, unsigned Index) {
  if (!gradIsOff(Id, Index) || !keepsType(V, Id) || !beginsWithTensor(V, U.model()))
    return;
  ValueId SelfId = V.Inputs.front();
  const Value &Self = Facts.Values[SelfId];
  const TensorType &Type = State.Values[Id].Type;
  const Event *StoredBack = Self.From == Source::Load ? storeBack(Id, Self.Loaded, Index) : nullptr;
  auto Input = describeInput(V);
  Level L;
  if (!Input || !isLargeEnough(Type, Index, StoredBack, L))
    return;
  if (Type.Dims && !sameShape(State.SelfOf[Id].Type, Type))
    return; // broadcasting makes the result larger than what dies
  Sole Dies = Known.isLastUse(F, Index, SelfId);
  // Of an element that has no place of its own only the file as a whole tells who has it.
  const bool IsAnyElement =
      Self.From == Source::Load && isElement(Self.Loaded) && !Facts.Places[Self.Loaded].isEntry();
  if (StoredBack && (Dies == Sole::No || IsAnyElement))
    Dies = isHoldersLastUse(Id, SelfId, *StoredBack);
  if (Dies == Sole::No)
    return;
  if (Dies == Sole::InView)
    L = Level::Note;
  Diagnosis &D = report(*V.E, L,
                        "'" + sourceText(*V.E, U.context()) + "' makes a second tensor" +
                            sizeOf(Type) + " while " + *Input + " dies here; the in-place form '" +
                            inPlaceName(V) + "' needs none",
                        Type);
  if (StoredBack && StoredBack->Val == Id && Type.leastBytes())
    addFix(D, V, *StoredBack);
}

/// `p.grad().data() = p.grad().data() / n`: what is assigned to is no variable, so
/// the result is copied back into the same memory.
void OutOfPlaceOpChecker::checkCopyBack(unsigned Index) {
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
         State.Values[Made].Type);
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

void OutOfPlaceOpChecker::checkArgument(const Value &V, ValueId Id, unsigned Index) {
  const Value &Argument = Facts.Values[V.Inputs[1]];
  if (!isFresh(Argument) || !Argument.E || !gradIsOff(Id, Index))
    return;
  const TensorType &Type = State.Values[V.Inputs[1]].Type;
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

Diagnosis &OutOfPlaceOpChecker::report(const Expr &At, Level L, std::string Message,
                                       const TensorType &T) {
  Diagnosis D(OutOfPlaceOp::Name, Kind::Peak, L, At.getExprLoc(), std::move(Message));
  D.Range = At.getSourceRange();
  setSize(D, T);
  D.Subject.Producers.push_back(At.getExprLoc());
  Out.push_back(std::move(D));
  return Out.back();
}

} // namespace

void OutOfPlaceOp::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  Unit &U = File.unit();
  Handles Known(U);
  SoleHolders Holders(U, Known.storages());
  for (const FunctionUnit &F : U.functions()) {
    FunctionAtHand Here(*F.Facts->Function);
    OutOfPlaceOpChecker(Known, Holders, U, F, Out).run();
  }
}

} // namespace tensorleak
