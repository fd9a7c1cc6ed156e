//===-- PathConditions.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/PathConditions.h"

#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

PathConditions::PathConditions(const ResourceFacts &Facts)
    : Facts(Facts),
      Rounds(*Facts.Cfg, [this](const CFGBlock &From, unsigned I) { return !isNever(From, I); }),
      Passes(Facts, Rounds.order()), Values(Facts, L, Rounds), In(Facts.Blocks.size()),
      Forgotten(Facts.Blocks.size()), Reached(Facts.Blocks.size()), End(Facts.Blocks.size()),
      Branches(Facts.Blocks.size()), Written(Facts.Blocks.size()), Assigned(Facts.Blocks.size()) {
  findWritten();
  for (const CFGBlock *Block : order())
    visit(*Block);
  for (const auto &[Head, Begin] : Heads)
    linkRounds(*Head, *Rounds.headedBy(*Head), Begin);
}

/// The condition of a block that goes one of two ways.
static const Expr *conditionOf(const CFGBlock &Block) {
  return Block.succ_size() == 2 && !isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt())
             ? Block.getLastCondition()
             : nullptr;
}

/// `do { ... } while (0)` does not come round again.
bool PathConditions::isNever(const CFGBlock &From, unsigned Successor) const {
  const Expr *E = bare(conditionOf(From));
  auto Value = E ? constantOf(*E, Facts.Function->getASTContext()) : std::nullopt;
  return Value && (*Value != 0) != (Successor == 0);
}

void PathConditions::findWritten() {
  for (const CFGBlock *Block : order())
    for (const CFGElement &Element : *Block)
      if (auto S = Element.getAs<CFGStmt>())
        forEachEvaluated(*S->getStmt(), [&](const Stmt &Part) {
          Values.places().forEachWrite(Part, [&](PlaceId P, const Expr *By) {
            Written[Block->getBlockID()].insert(P);
            if (By)
              Assigned[Block->getBlockID()].insert(P);
          });
          if (const auto *Call = dyn_cast<CallExpr>(&Part))
            addAssignedBy(*Call, Assigned[Block->getBlockID()]);
        });
}

bool PathConditions::isTaken(const CFGBlock &From, unsigned Successor) const {
  const auto &Of = Branches[From.getBlockID()];
  return Reached.test(From.getBlockID()) && !From.hasNoReturnElement() &&
         (Successor >= Of.size() || Of[Successor].IsTaken);
}

Conditions PathConditions::along(const CFGBlock &From, unsigned Successor) const {
  Conditions Path = In[From.getBlockID()];
  const auto &Of = Branches[From.getBlockID()];
  if (Successor < Of.size() && Of[Successor].When)
    L.addParts(Of[Successor].When, Path);
  return Path;
}

std::optional<LoopId> PathConditions::comesBack(const CFGBlock &From, const CFGBlock &To) const {
  return Rounds.comesBack(From, To) ? Rounds.headedBy(To) : std::nullopt;
}

//===-- Where ways meet ---------------------------------------------------===//

std::vector<PathConditions::Way> PathConditions::waysTo(const CFGBlock &Block) const {
  std::vector<Way> Ways;
  llvm::SmallPtrSet<const CFGBlock *, 4> Seen;
  for (const CFGBlock *From : Block.preds()) {
    if (!From || Rounds.comesBack(*From, Block) || !Seen.insert(From).second)
      continue;
    unsigned I = 0;
    for (const CFGBlock *Next : From->succs()) {
      if (Next == &Block && isTaken(*From, I))
        Ways.push_back({From, along(*From, I)});
      ++I;
    }
  }
  return Ways;
}

static size_t sharedParts(const Conditions &A, const Conditions &B) {
  return std::mismatch(A.begin(), A.begin() + std::min(A.size(), B.size()), B.begin()).first -
         A.begin();
}

/// What all have in common, and that one of them is gone, unless one is in any case.
Conditions PathConditions::meet(std::vector<Way> &Ways) {
  size_t Shared = Ways.front().Path.size();
  for (const Way &W : Ways)
    Shared = std::min(Shared, sharedParts(W.Path, Ways.front().Path));
  Condition Any = L.never();
  for (Way &W : Ways) {
    W.Own = L.all(llvm::ArrayRef(W.Path).drop_front(Shared));
    Any = L.either(Any, W.Own);
  }
  Conditions Out(Ways.front().Path.begin(), Ways.front().Path.begin() + Shared);
  if (!Any->isLiteral(true) && L.arePossible({L.no(Any)}) != Answer::No)
    L.addParts(Any, Out);
  return Out;
}

Conditions PathConditions::where(Edges Of) {
  std::vector<Way> Ways;
  for (const auto &[From, Successor] : Of)
    Ways.push_back({From, along(*From, Successor)});
  return meet(Ways);
}

bool PathConditions::areApart(const std::vector<Way> &Ways) {
  for (size_t I = 0; I < Ways.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      if (L.arePossible({Ways[I].Own, Ways[J].Own}) != Answer::No)
        return false;
  return true;
}

ValueId PathConditions::merge(PlaceId P, const std::vector<Way> &Ways) {
  std::vector<std::pair<Condition, ValueId>> Choices;
  for (const Way &W : Ways)
    Choices.push_back({W.Own, Values.read(P, End[W.From->getBlockID()])});
  if (llvm::all_of(Choices, [&](const auto &C) { return C.second == Choices.front().second; }))
    return Choices.front().second;
  return areApart(Ways) ? Values.choose(P, std::move(Choices)) : Values.unclear(P);
}

PlaceValues PathConditions::merge(const std::vector<Way> &Ways) {
  PlaceValues Out;
  if (Ways.size() == 1)
    return End[Ways.front().From->getBlockID()];
  std::set<PlaceId> Places;
  for (const Way &W : Ways)
    for (const auto &[P, V] : End[W.From->getBlockID()])
      Places.insert(P);
  for (PlaceId P : Places)
    Out[P] = merge(P, Ways);
  return Out;
}

/// A variable, and nothing that a list or an object says of itself.
static bool isNumber(const ConditionPlace &P) {
  return P.Chain.size() == 1 && P.type()->isIntegerType();
}

void PathConditions::beginRounds(const CFGBlock &Block, LoopId Loop, PlaceValues &Now) {
  Changing &Begin = Heads[&Block];
  for (const CFGBlock *Each : Rounds.span(Block))
    if (Rounds.around(Each->getBlockID()) & only(Loop))
      for (PlaceId P : Written[Each->getBlockID()])
        if (auto [It, IsNew] = Begin.try_emplace(P, Round()); IsNew) {
          It->second = {Values.read(P, Now), Values.changing(P)};
          Now[P] = It->second.Begin;
          if (isNumber(Values.places()[P]))
            Counted.insert(Values[Now[P]].Number->Terms.front().first);
        }
}

void PathConditions::visit(const CFGBlock &Block) {
  unsigned Id = Block.getBlockID();
  std::vector<Way> Ways = waysTo(Block);
  if (Ways.empty() && &Block != &Facts.Cfg->getEntry())
    return;
  Reached.set(Id);
  if (&Block == &Facts.Cfg->getExit())
    return; // each way out is looked at by itself
  Values.enter(Id);
  if (!Ways.empty()) {
    In[Id] = meet(Ways);
    End[Id] = merge(Ways);
  }
  if (Passes.isPassage(Block))
    forget(Block);
  if (auto Loop = Rounds.headedBy(Block))
    beginRounds(Block, *Loop, End[Id]);
  for (const CFGElement &Element : Block)
    if (auto S = Element.getAs<CFGStmt>())
      forEachEvaluated(*S->getStmt(), [&](const Stmt &Part) { Values.apply(Part, End[Id]); });
  visitBranch(Block);
}

//===-- Where all ways pass -----------------------------------------------===//

void PathConditions::addTerms(ValueId V, std::set<TermId> &To) const {
  const PlaceValue &Value = Values[V];
  if (Value.Number)
    for (const auto &[T, Factor] : Value.Number->Terms)
      To.insert(T);
  if (Value.Truth)
    addTerms(Value.Truth, To);
  for (const auto &[When, Choice] : Value.Choices) {
    addTerms(When, To);
    addTerms(Choice, To);
  }
}

void PathConditions::addTerms(Condition C, std::set<TermId> &To) const {
  for (unsigned Atom : L.atomsOf(C))
    for (const auto &[T, Factor] : L.sumOf(Atom).Terms)
      To.insert(T);
}

/// That a loop has counted up to `n` says nothing of `n`: some count does, whatever that is.
bool PathConditions::saysNothing(Condition C, const std::set<TermId> &Asked) const {
  const bool Holds = C->kind() == dataflow::Formula::AtomRef;
  if (!LoopEnds.count(C) || L.atomsOf(C).size() != 1)
    return false;
  return llvm::any_of(L.sumOf(L.atomsOf(C).front()).Terms, [&](const auto &Each) {
    const Term &T = L.term(Each.first);
    const bool MustBeSmall = Holds == (Each.second > 0);
    return Counted.count(Each.first) && !Asked.count(Each.first) && !(MustBeSmall ? T.Min : T.Max);
  });
}

/// What no code behind \p Block can ask for.
void PathConditions::forget(const CFGBlock &Block) {
  PlaceValues &Now = End[Block.getBlockID()];
  std::set<TermId> Asked;
  for (auto It = Now.begin(); It != Now.end();) {
    const ConditionPlace &P = Values.places()[It->first];
    const auto *V = dyn_cast_or_null<VarDecl>(P.Chain.front().Decl);
    const bool IsOver = V && V->hasLocalStorage() && !P.IsShared && !Passes.isNamedFrom(Block, *V);
    if (!IsOver)
      addTerms(It->second, Asked);
    It = IsOver ? Now.erase(It) : std::next(It);
  }
  forgetLoops(Block.getBlockID(), std::move(Asked));
}

/// \p Asked: of values that can be asked for. Later conditions speak of what was counted before.
void PathConditions::forgetLoops(unsigned Block, std::set<TermId> Asked) {
  Conditions &Path = In[Block];
  for (Condition C : Path)
    if (!LoopEnds.count(C))
      addTerms(C, Asked);
  Conditions Kept;
  for (Condition C : llvm::reverse(Path)) {
    const bool IsKept = !saysNothing(C, Asked);
    (IsKept ? Kept : Forgotten[Block]).push_back(C);
    if (IsKept)
      addTerms(C, Asked);
  }
  Path.assign(Kept.rbegin(), Kept.rend());
}

//===-- Branches ----------------------------------------------------------===//

void PathConditions::setEdge(const CFGBlock &From, unsigned Successor, Condition When) {
  auto &Of = Branches[From.getBlockID()];
  Of.resize(From.succ_size());
  Conditions Related = L.concerning({When}, In[From.getBlockID()]);
  Related.push_back(When);
  Of[Successor] = {L.arePossible(Related) != Answer::No, When};
}

/// `if (!ok(cudaMalloc(...))) return`: the side that leaves is taken for the failure, where
/// what the condition asks, or has asked, is not understood.
Condition PathConditions::failureOnLeaving(const CFGBlock &Block, bool WhenTrue,
                                           bool IsUnderstood) {
  const auto *If = dyn_cast_or_null<IfStmt>(Block.getTerminatorStmt());
  bool IsFailure =
      If && (endsByLeaving(If->getThen()) ? WhenTrue : !WhenTrue && endsByLeaving(If->getElse()));
  if (!IsFailure)
    return L.always();
  const Expr &Test = *conditionOf(Block);
  const PlaceValues &Now = End[Block.getBlockID()];
  return IsUnderstood ? Values.keptFailures(Test, Now) : Values.allFailed(Test, Now);
}

void PathConditions::visitBranch(const CFGBlock &Block) {
  if (const auto *S = dyn_cast_or_null<SwitchStmt>(Block.getTerminatorStmt()))
    return visitSwitch(Block, *S);
  const Expr *Test = conditionOf(Block);
  if (!Test)
    return;
  Condition When = Values.truth(Test, End[Block.getBlockID()]);
  bool IsUnderstood = !L.mentions(When, [](const Term &T) { return !T.IsCertain; });
  for (bool WhenTrue : {true, false}) {
    Condition Side = WhenTrue ? When : L.no(When);
    Side = L.both(Side, failureOnLeaving(Block, WhenTrue, IsUnderstood));
    if (!WhenTrue && Rounds.headedBy(Block) &&
        isa_and_nonnull<ForStmt, WhileStmt, CXXForRangeStmt>(Block.getTerminatorStmt()))
      LoopEnds.insert(Side);
    setEdge(Block, !WhenTrue, Side);
  }
}

void PathConditions::visitSwitch(const CFGBlock &Block, const SwitchStmt &S) {
  const PlaceValues &Now = End[Block.getBlockID()];
  Condition None = L.always();
  unsigned I = 0;
  for (const CFGBlock *Next : Block.succs()) {
    const auto *Case = Next ? dyn_cast_or_null<CaseStmt>(Next->getLabel()) : nullptr;
    auto Value = Case && !Case->getRHS()
                     ? constantOf(*Case->getLHS(), Facts.Function->getASTContext())
                     : std::nullopt;
    bool IsLast = I + 1 == Block.succ_size();
    if (Value) {
      Condition When = Values.equals(S.getCond(), *Value, Now);
      None = L.both(None, L.no(When));
      setEdge(Block, I, When);
    } else if (IsLast && Next) {
      setEdge(Block, I, None);
    }
    ++I;
  }
}

} // namespace tensorleak
