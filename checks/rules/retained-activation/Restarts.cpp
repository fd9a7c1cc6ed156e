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
#include "checks/source/Statements.h"
#include "checks/source/entries/Entries.h"
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

/// Whether the functions of the file that do more with \p D than read it let it go on, apart from
/// the methods of its own class, of which mayComeBack() tells.
static bool letOthersGoOn(const Unit &U, const ValueDecl &D, Goes Way) {
  auto BodyOf = [](const FunctionUnit &F) -> const Stmt & { return *F.Facts->Function->getBody(); };
  auto Writes = [&](const FunctionUnit &F) {
    return !onlyReadsOrMoves(BodyOf(F), D, std::nullopt);
  };
  return llvm::all_of(U.functionsThat(Asked::Writes, D, Writes), [&](const FunctionUnit *F) {
    const auto *M = dyn_cast<CXXMethodDecl>(F->Facts->Function);
    return (M && M->getParent() == D.getDeclContext()) || onlyReadsOrMoves(BodyOf(*F), D, Way);
  });
}

/// The member or variable \p D never comes back, as far as the file sees, which is all there is.
static bool neverComesBack(const Unit &U, const ValueDecl &D, Goes Way) {
  if (const auto *Field = dyn_cast<FieldDecl>(&D))
    return !mayComeBack(*Field, Way) &&
           (Field->getAccess() != AS_public || letOthersGoOn(U, D, Way));
  const auto *Variable = dyn_cast<VarDecl>(&D);
  return Variable && Variable->hasGlobalStorage() && U.isSeenWhole(D) && letOthersGoOn(U, D, Way);
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

/// `count_`, and `count_++` and `++count_`, which are the member's as well.
static const Expr *counted(const Expr *E) {
  const auto *Counts = dyn_cast<UnaryOperator>(strip(E));
  return Counts && Counts->isIncrementOp() ? Counts->getSubExpr() : E;
}

/// What `count_ Op Number` is once alone, where the member only counts up; nothing for others.
static std::optional<bool> valueOnce(BinaryOperatorKind Op, bool WithZero) {
  if (Op == BO_EQ || Op == BO_NE)
    return Op == BO_EQ;
  if (WithZero && (Op == BO_GT || Op == BO_LE))
    return Op == BO_LE;
  return std::nullopt;
}

namespace {

/// What happens once in the life of what has the place \p P.
class Once {
public:
  Once(const Unit &U, const FunctionFacts &Facts, PlaceId P) : U(U), Facts(Facts), P(P) {}
  /// `count_ == 1`, where that only counts up, or `!begun_`, where that is only ever set: the
  /// condition has the \p Value once.
  bool happens(const Expr *Condition, bool Value) const;

private:
  bool isCompared(const BinaryOperator &B, bool Value) const;
  bool goesOn(const Expr *Named, Goes Way) const;
  bool isBeside(const Expr &E) const;

  const Unit &U;
  const FunctionFacts &Facts;
  PlaceId P;
};

/// What \p E names is a member of the object that the place is a part of, or outlives all objects.
bool Once::isBeside(const Expr &E) const {
  const auto *Member = dyn_cast<MemberExpr>(strip(&E));
  const auto *Part = dyn_cast_or_null<FieldDecl>(Facts.Places[P].Decl);
  return !Member || isa<CXXThisExpr>(strip(Member->getBase())) ||
         (Part && Part->getDeclContext() == Member->getMemberDecl()->getDeclContext());
}

/// The function itself lets what \p Named names go on, and nobody lets it come back.
bool Once::goesOn(const Expr *Named, Goes Way) const {
  const ValueDecl *D = variableOrMember(Named);
  return D && isBeside(*Named) &&
         llvm::any_of(Facts.bodies(), [&](const Stmt *Body) { return moves(*Body, *D, Way); }) &&
         neverComesBack(U, *D, Way);
}

bool Once::isCompared(const BinaryOperator &B, bool Value) const {
  const auto [Asked, Op] = comparedWithNumber(B);
  const auto *Number =
      dyn_cast<IntegerLiteral>(strip(Asked == B.getLHS() ? B.getRHS() : B.getLHS()));
  if (!Number)
    return false;
  const bool WithZero = Number->getValue().isZero();
  return valueOnce(Op, WithZero) == Value &&
         goesOn(counted(Asked), WithZero ? Goes::FromZero : Goes::Up);
}

bool Once::happens(const Expr *Condition, bool Value) const {
  Condition = conditionIn(Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot)
    return happens(Not->getSubExpr(), !Value);
  if (const auto *B = dyn_cast<BinaryOperator>(Condition))
    return isCompared(*B, Value);
  if (Condition->getType()->isBooleanType())
    return goesOn(Condition, Value ? Goes::ToFalse : Goes::ToTrue);
  return !Value && goesOn(counted(Condition), Goes::FromZero);
}

} // namespace

//===-- Nothing yet -------------------------------------------------------===//

namespace {

/// Whether one place holds nothing, along the code.
class Emptiness : public ForwardDataflow<Emptiness, bool> {
public:
  Emptiness(Unit &U, const FunctionFacts &Facts, const Event &Fills)
      : ForwardDataflow(*Facts.Cfg), U(U), Facts(Facts), P(Fills.Place), Search(searchFor(Fills)) {}

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
  std::optional<KeySearch> searchFor(const Event &Fills) const;

  Unit &U;
  const FunctionFacts &Facts;
  PlaceId P;
  std::optional<KeySearch> Search; ///< for the entry of a container that is filled
};

/// What may ask for the entry that \p Fills puts something into.
std::optional<KeySearch> Emptiness::searchFor(const Event &Fills) const {
  const ElementNamed Entry = Fills.At ? entryFilledBy(*Fills.At) : ElementNamed();
  for (const Stmt *Body : Facts.bodies())
    if (Entry.Base && contains(Body, Fills.At))
      return KeySearch(Entry, *Body, U.context());
  return std::nullopt;
}

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
  auto Known = U.model().effectOf(*Callee);
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
  else if (auto IfFound = Condition && Search ? Search->answerIfFound(Condition) : std::nullopt)
    IsEmpty = *IfFound != (Successor == 0);
  else if (Condition && Once(U, Facts, P).happens(Condition, Successor == 0))
    IsEmpty = true;
  return true;
}

} // namespace

/// `all.try_emplace(key, x)`: an entry that is there stays.
static bool storesOnlyIfNew(const Event &Store) {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Store.At);
  return Call && methodOfLibrary(*Call) == "try_emplace";
}

bool holdsNothing(Unit &U, const FunctionFacts &Facts, unsigned Index) {
  if (storesOnlyIfNew(Facts.Events[Index]))
    return true;
  Emptiness Flow(U, Facts, Facts.Events[Index]);
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
