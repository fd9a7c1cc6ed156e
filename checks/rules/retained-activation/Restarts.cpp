//===-- Restarts.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Restarts.h"

#include "checks/facts/Ways.h"
#include "checks/flow/Dataflow.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/resources/conditions/PathConditions.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/members/MemberMoves.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- The first round ---------------------------------------------------===//

/// The number that the conditions have for the loop \p L.
static std::optional<unsigned> loopOf(const FunctionFacts &Facts, const PathConditions &Paths,
                                      LoopId L) {
  for (const CFGBlock *Last : *Facts.Cfg)
    for (const CFGBlock *Head : Last->succs())
      if (Head && Last->getLoopTarget() == Facts.Loops[L].S)
        if (auto Round = Paths.comesBack(*Last, *Head))
          return Round;
  return std::nullopt;
}

bool isInOneRound(const FunctionFacts &Facts, unsigned Index, LoopId L) {
  if (isUnconditional(Facts, Index))
    return false;
  ResourceFacts OfNone; // the conditions of any function can be asked for
  OfNone.Function = Facts.Function;
  OfNone.Cfg = Facts.Cfg.get();
  OfNone.Blocks.resize(Facts.Blocks.size());
  PathConditions Paths(OfNone);
  auto Round = loopOf(Facts, Paths, L);
  if (!Round)
    return false;
  Conditions Twice = Paths.at(blockOf(Facts, Index));
  for (Condition C : Conditions(Twice))
    Paths.logic().addParts(Paths.logic().ended(C, *Round), Twice);
  return Paths.logic().arePossible(Twice) == Answer::No;
}

//===-- Once and never again ------------------------------------------------===//

/// The member of the object's own that \p E names; null for anything else, and for what others
/// may write.
static const FieldDecl *hiddenMember(const Expr *E) {
  const FieldDecl *Field = memberOfThis(E);
  return Field && Field->getAccess() != AS_public ? Field : nullptr;
}

/// The function itself lets the member go on, and no method of the class lets it come back.
static bool goesOn(const FunctionFacts &Facts, const FieldDecl &Field, Goes Way) {
  return !mayComeBack(Field, Way) &&
         llvm::any_of(Facts.bodies(), [&](const Stmt *Body) { return moves(*Body, Field, Way); });
}

/// What a condition says; of a lambda that is called at once, what that yields.
static const Expr *conditionIn(const Expr *E) {
  E = strip(E);
  const Expr *Yielded = yieldedAtOnce(*E);
  return Yielded ? strip(Yielded) : E;
}

/// What \p B compares with a number, by which operator if the number stands on the right.
static std::pair<const Expr *, BinaryOperatorKind> comparedWithNumber(const BinaryOperator &B) {
  const bool OnLeft = isa<IntegerLiteral>(strip(B.getLHS())) && B.isComparisonOp();
  if (!OnLeft || isa<IntegerLiteral>(strip(B.getRHS())))
    return {B.getLHS(), B.getOpcode()};
  return {B.getRHS(), BinaryOperator::reverseComparisonOp(B.getOpcode())};
}

/// `count_ == 1`, where the member only counts up, or `!begun_`, where it is only ever set: the
/// condition holds once in the life of the object.
static bool holdsOnce(const FunctionFacts &Facts, const Expr *Condition) {
  Condition = conditionIn(Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot) {
    const FieldDecl *Field = hiddenMember(Not->getSubExpr());
    return Field && goesOn(Facts, *Field, Goes::ToTrue);
  }
  if (const auto *Equal = dyn_cast<BinaryOperator>(Condition)) {
    const Expr *Counted = comparedWithNumber(*Equal).first;
    const Expr *Number = Counted == Equal->getLHS() ? Equal->getRHS() : Equal->getLHS();
    const auto *Counts = dyn_cast<UnaryOperator>(strip(Counted));
    const FieldDecl *Field = hiddenMember(Counts ? Counts->getSubExpr() : Counted);
    const auto *Of = dyn_cast<IntegerLiteral>(strip(Number));
    return Equal->getOpcode() == BO_EQ && Of && Field &&
           goesOn(Facts, *Field, Of->getValue().isZero() ? Goes::FromZero : Goes::Up);
  }
  const FieldDecl *Field = hiddenMember(Condition);
  return Field && goesOn(Facts, *Field, Goes::ToFalse);
}

//===-- Nothing yet -------------------------------------------------------===//

namespace {

/// Whether one place holds nothing, along the code.
class Emptiness : public ForwardDataflow<Emptiness, bool> {
public:
  Emptiness(const FunctionFacts &Facts, ApiModel &Model, PlaceId P)
      : ForwardDataflow(*Facts.Cfg), Facts(Facts), Model(Model), P(P) {}

  void transfer(const CFGBlock &Block, bool &IsEmpty) const {
    BlockRange Range = Facts.Blocks[Block.getBlockID()];
    for (unsigned I = Range.Begin; I < Range.End; ++I)
      apply(Facts.Events[I], IsEmpty);
  }
  bool join(bool &Into, bool From) const {
    bool Changed = Into && !From;
    Into = Into && From;
    return Changed;
  }
  bool refine(const CFGBlock &Block, unsigned Successor, bool &IsEmpty) const;
  void apply(const Event &E, bool &IsEmpty) const;

private:
  std::optional<bool> emptyWhereTrue(const Expr *Condition, const CFGBlock &At) const;
  std::optional<bool> emptyWhereCompared(const BinaryOperator &B, const CFGBlock &At) const;
  std::optional<Effect> sizeOfPlace(const Expr *E, const CFGBlock &At) const;
  bool isAskedLast(const Expr &Object, const CFGBlock &At) const;
  const Expr *named(const Expr &Condition) const;

  const FunctionFacts &Facts;
  ApiModel &Model;
  PlaceId P;
};

void Emptiness::apply(const Event &E, bool &IsEmpty) const {
  PlaceId Part = P;
  while (Part != NoId && Part != E.Place)
    Part = Facts.Places[Part].Parent;
  if (Part == NoId || !events::mayChange(E.Kind))
    return;
  bool Drops = E.Kind == EventKind::Drop || (E.Kind == EventKind::Store && E.Val == NoId);
  IsEmpty = Drops && !E.Callee;
}

/// \p Object names the place in the block, and nothing changes it from there to the block's end.
bool Emptiness::isAskedLast(const Expr &Object, const CFGBlock &At) const {
  BlockRange Range = Facts.Blocks[At.getBlockID()];
  for (unsigned I = Range.End; I-- > Range.Begin;) {
    const Event &E = Facts.Events[I];
    if (E.Kind == EventKind::Use && E.At == &Object)
      return E.Place == P;
    if (E.Place != NoId && Facts.isIn(P, E.Place) && events::mayChange(E.Kind))
      return false;
  }
  return false;
}

/// What \p E, on which a way out of \p At depends, asks of the place, where it tells whether that
/// holds anything.
std::optional<Effect> Emptiness::sizeOfPlace(const Expr *E, const CFGBlock &At) const {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(strip(E));
  const CXXMethodDecl *Callee = Call ? Call->getMethodDecl() : nullptr;
  const Expr *Object = Callee ? outermostBox(Call->getImplicitObjectArgument()) : nullptr;
  if (!Object || !isAskedLast(*Object, At))
    return std::nullopt;
  if (isa<CXXConversionDecl>(Callee)) // if (optional)
    return Effect{Does::Nothing, ZeroIfEmpty, {}};
  auto Known = Model.effectOf(*Callee);
  bool Tells = Known && (Known->has(ZeroIfEmpty) || Known->has(TrueIfEmpty));
  return Tells ? Known : std::nullopt;
}

/// `x.size() == 0`, `x.numel() > 0`.
std::optional<bool> Emptiness::emptyWhereCompared(const BinaryOperator &B,
                                                  const CFGBlock &At) const {
  const auto [Asked, Op] = comparedWithNumber(B);
  const Expr *Number = Asked == B.getLHS() ? B.getRHS() : B.getLHS();
  Expr::EvalResult Zero;
  bool WithZero = !Number->isValueDependent() &&
                  Number->EvaluateAsInt(Zero, Facts.Function->getASTContext()) &&
                  Zero.Val.getInt().isZero();
  auto Size = WithZero ? sizeOfPlace(Asked, At) : std::nullopt;
  if (!Size || !Size->has(ZeroIfEmpty))
    return std::nullopt;
  if (Op == BO_EQ || Op == BO_LE)
    return true;
  return Op == BO_NE || Op == BO_GT ? std::optional(false) : std::nullopt;
}

/// `const bool first = !x.defined();`: what the name \p Condition stands for; null for none.
const Expr *Emptiness::named(const Expr &Condition) const {
  const VarDecl *Name = nullptr;
  for (const Stmt *Body : Facts.bodies())
    if (!(Name = constantName(Condition, *Body)))
      return nullptr;
  return Name ? Name->getInit() : nullptr;
}

/// Whether the place is empty where \p Condition holds, and is not where it does not.
std::optional<bool> Emptiness::emptyWhereTrue(const Expr *Condition, const CFGBlock &At) const {
  Condition = conditionIn(Condition);
  if (const Expr *Meant = named(*Condition))
    return emptyWhereTrue(Meant, At);
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot) {
    auto Inner = emptyWhereTrue(Not->getSubExpr(), At);
    return Inner ? std::optional(!*Inner) : std::nullopt;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(Condition))
    return emptyWhereCompared(*B, At);
  auto Size = sizeOfPlace(Condition, At);
  return Size ? std::optional(Size->has(TrueIfEmpty)) : std::nullopt;
}

bool Emptiness::refine(const CFGBlock &Block, unsigned Successor, bool &IsEmpty) const {
  const Expr *Condition = Block.succ_size() == 2 ? Block.getLastCondition() : nullptr;
  if (auto WhereTrue = Condition ? emptyWhereTrue(Condition, Block) : std::nullopt)
    IsEmpty = *WhereTrue == (Successor == 0);
  else if (Condition && Successor == 0 && holdsOnce(Facts, Condition))
    IsEmpty = true;
  return true;
}

} // namespace

bool holdsNothing(const FunctionFacts &Facts, ApiModel &Model, unsigned Index, PlaceId P) {
  Emptiness Flow(Facts, Model, P);
  if (!Flow.solve(false, Budget::StoreVisits))
    return false;
  bool Answer = false;
  const CFGBlock &Own = blockOf(Facts, Index);
  Flow.forEachReached([&](const CFGBlock &Block, bool IsEmpty) {
    if (&Block != &Own)
      return;
    for (unsigned I = Facts.Blocks[Block.getBlockID()].Begin; I < Index; ++I)
      Flow.apply(Facts.Events[I], IsEmpty);
    Answer = IsEmpty;
  });
  return Answer;
}

} // namespace tensorleak
