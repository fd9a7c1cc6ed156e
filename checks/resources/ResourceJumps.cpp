//===-- ResourceJumps.cpp - What continue and break leave behind -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A round of a loop that ends early is a way out of its body, as `return` is one of the
// function, and so is a `goto` behind what releases: where the ways meet, what was released on
// one of them cannot be told any more.
// So it is where a loop begins: what was taken before it is in a place from which later rounds
// give back what they took.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/FunctionFlow.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

/// The body of the innermost loop around \p Jump; null where that ends a switch.
static const Stmt *bodyLeftBy(const Stmt &Jump, const FunctionDecl &F) {
  const Stmt *Body = nullptr;
  anyBelow(F.getBody(), [&](const Stmt &S) { // outer ones come first
    const bool Catches = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S) ||
                         (isa<SwitchStmt>(S) && isa<BreakStmt>(Jump));
    if (Catches && contains(&S, &Jump))
      Body = loopBody(S);
    return false;
  });
  return Body;
}

static bool isDeclaredIn(const Stmt &Body, const ValueDecl &V) {
  return anyBelow(&Body, [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    return D && llvm::is_contained(D->decls(), &V);
  });
}

/// Whether each round of the innermost loop around \p Jump takes at \p Id.
bool FunctionFlow::isTakenInEachRound(const CFGBlock &Jump, SiteId Id) const {
  const CFGBlock *Head = nullptr, *Taking = nullptr;
  for (const CFGBlock *Block : Order) { // outer loops come first
    if (auto Loop = Paths->headedBy(*Block); Loop && Paths->isWithin(Jump, *Loop))
      Head = Block;
    if (llvm::any_of(Facts.Blocks[Block->getBlockID()], [&](const ResourceEvent &E) {
          return E.Kind == ResourceEventKind::Acquire && E.Site == Id;
        }))
      Taking = Block;
  }
  return Head && Taking && runsInEachRound(*Taking, *Head, *Paths->headedBy(*Head));
}

/// The next round takes something into \p Holder without giving back what is there, and asks for
/// nothing before.
bool FunctionFlow::isTakenAnew(PathId Holder, SiteId Id, const Stmt &Body) const {
  const ValueDecl *V = Facts.Paths.variable(Holder);
  const SourceManager &Sources = Facts.Function->getASTContext().getSourceManager();
  const Expr &Taking = *Facts.Sites[Id].Call;
  if (!V || !Facts.Paths.isExact(Holder) || takenInto(current(Id)) != Holder ||
      Paths->asksAbout(*V))
    return false;
  return llvm::none_of(Facts.Blocks, [&](const std::vector<ResourceEvent> &Block) {
    return llvm::any_of(Block, [&](const ResourceEvent &E) {
      const bool Names = llvm::any_of(E.Value, [&](const Atom &A) {
        return A.What != Atom::Fresh && Facts.Paths.variable(A.Id) == V;
      });
      return Names && E.Kind != ResourceEventKind::Acquire && contains(&Body, E.At) &&
             Sources.isBeforeInTranslationUnit(E.At->getBeginLoc(), Taking.getExprLoc());
    });
  });
}

/// Nothing speaks of what \p V holds after \p Jump out of \p Body.
bool FunctionFlow::isLeftBy(const CFGBlock &Jump, HeldValue V, const ResourceState &S,
                            const Stmt &Body) const {
  return llvm::all_of(S.Holders, [&](const auto &Entry) {
    const auto &[P, Values] = Entry;
    const ValueDecl *Variable = Facts.Paths.variable(P);
    if (!Values.count(V))
      return true;
    return Variable && Transfer.isOwnStorage(P, S) &&
           (isDeclaredIn(Body, *Variable) ||
            (isa<ContinueStmt>(Jump.getTerminatorStmt()) && isTakenAnew(P, V.Id, Body) &&
             isTakenInEachRound(Jump, V.Id)));
  });
}

/// What is attached to memory of others, such as a registration, is taken off again in \p Part.
bool FunctionFlow::isDutyWithin(const Stmt &Part, SiteId Id,
                                llvm::function_ref<bool(const Stmt &)> Counts) const {
  const Site &S = Facts.Sites[Id];
  return S.Attached && !S.OfCallee && llvm::any_of(Facts.Blocks, [&](const auto &Block) {
           return llvm::any_of(Block, [&](const ResourceEvent &E) {
             return E.Kind == ResourceEventKind::Release && S.isAcceptedBy(E.Accepts) &&
                    contains(&Part, E.At) && Counts(*E.At);
           });
         });
}

bool FunctionFlow::isDutyWithin(const Stmt &Part, SiteId Id) const {
  return isDutyWithin(Part, Id, [](const Stmt &) { return true; });
}

/// The return that ends the branch around \p At, or the statements behind a label to which \p At
/// belongs; null where control goes on.
static const ReturnStmt *ownWayOut(const Stmt &At, const Stmt &Body) {
  const ReturnStmt *Found = nullptr;
  anyBelow(&Body, [&](const Stmt &S) {
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    if (!Block || !contains(Block, &At) || Block->body_empty())
      return false;
    bool IsBehindLabel = false;
    for (const Stmt *Each : Block->body()) {
      IsBehindLabel |= isa<LabelStmt>(Each);
      if (contains(Each, &At))
        break;
    }
    if (Block != &Body || IsBehindLabel)
      Found = dyn_cast<ReturnStmt>(Block->body_back());
    return false;
  });
  return Found;
}

/// What is attached to memory of others is taken off again in the function, other than where it
/// ends with another answer than at \p Exit: `if (start() != 0) { detach(p); return -1; }` undoes
/// what the caller gets else.
bool FunctionFlow::isDutyBefore(const ResourceExit &Exit, SiteId Id) const {
  const Stmt &Body = *Facts.Function->getBody();
  auto Answer = [&](const Stmt *Out) {
    const auto *Return = dyn_cast_or_null<ReturnStmt>(Out);
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    return Value ? constantIn(Facts.Function->getASTContext(), Value) : std::nullopt;
  };
  return isDutyWithin(Body, Id, [&](const Stmt &Release) {
    const ReturnStmt *Out = ownWayOut(Release, Body);
    return !Out || Answer(Out) == Answer(Exit.At);
  });
}

/// Nothing from where \p Goto leads on speaks of what \p V holds.
bool FunctionFlow::isPassedBy(const CFGBlock &Goto, HeldValue V, const ResourceState &S) const {
  const CFGBlock *To = *Goto.succ_begin();
  return To && llvm::all_of(S.Holders, [&](const auto &Entry) {
           const ValueDecl *Variable = Facts.Paths.variable(Entry.first);
           return !Entry.second.count(V) || (Variable && Transfer.isOwnStorage(Entry.first, S) &&
                                             endsQuietly(Variable->getType()) &&
                                             !Paths->passages().isNamedFrom(*To, *Variable));
         });
}

void FunctionFlow::readJump(const CFGBlock &Block) {
  const Stmt *Jump = Block.getTerminatorStmt();
  if (!Paths || !isa_and_nonnull<ContinueStmt, BreakStmt, GotoStmt>(Jump))
    return;
  const Stmt *Body = isa<GotoStmt>(Jump) ? nullptr : bodyLeftBy(*Jump, *Facts.Function);
  const ResourceState &S = Out[Block.getBlockID()];
  auto IsLost = [&](HeldValue V) {
    return isa<GotoStmt>(Jump) ? isPassedBy(Block, V, S)
                               : Body && contains(Body, Facts.Sites[V.Id].Call) &&
                                     (isLeftBy(Block, V, S, *Body) || isDutyWithin(*Body, V.Id));
  };
  for (const auto &[V, G] : S.Guards) {
    bool IsOutside = false;
    const PathId Holder = holderOf(V, S, IsOutside);
    const bool IsTheirs = IsOutside && !(Body && isDutyWithin(*Body, V.Id));
    if (V.What != HeldValue::Resource || Holder == NoPath || IsTheirs || !IsLost(V))
      continue;
    auto When = Transfer.questions()->ownedAfter(*G, Paths->at(Block));
    if (!When)
      continue;
    EndsOf[V.Id].Holder = Holder;
    EndsOf[V.Id].Leaky.push_back({Jump, false, *When});
  }
}

//===-- The first round ---------------------------------------------------===//

/// A condition that counts: it does not ask how a call went.
static bool isCount(const Stmt *Condition) {
  if (!Condition)
    return true;
  const auto *E = dyn_cast<Expr>(Condition);
  const auto *Compared = E ? dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts()) : nullptr;
  if (!Compared || !Compared->isComparisonOp())
    return false;
  return llvm::all_of(llvm::ArrayRef{Compared->getLHS(), Compared->getRHS()}, [](const Expr *Side) {
    const QualType T = Side->IgnoreParenImpCasts()->getType();
    return T->isArithmeticType() && !T->isBooleanType() && !T->isEnumeralType();
  });
}

/// `for (int i = 0; i < n; ++i)` and `for (auto &x : xs)`.
static bool countsRounds(const CFGBlock &Head) {
  const Stmt *S = Head.getTerminatorStmt();
  if (const auto *For = dyn_cast_or_null<ForStmt>(S))
    return isCount(For->getCond());
  return isa_and_nonnull<CXXForRangeStmt>(S);
}

/// No way from the beginning of a round to its end, or out of the loop, passes by \p Block.
bool FunctionFlow::runsInEachRound(const CFGBlock &Block, const CFGBlock &Head, LoopId Loop) const {
  llvm::SmallPtrSet<const CFGBlock *, 8> Seen{&Block};
  llvm::SmallVector<const CFGBlock *, 8> Work{*Head.succ_begin()};
  while (!Work.empty()) {
    const CFGBlock *Each = Work.pop_back_val();
    if (!Each || !Seen.insert(Each).second || Each->hasNoReturnElement())
      continue;
    if (Each == &Head || !Paths->isWithin(*Each, Loop))
      return false;
    Work.append(Each->succ_begin(), Each->succ_end());
  }
  return true;
}

/// Hears of what was there before a loop, and is lost in a round that has not touched it.
class FirstRound : public ResourceListener {
public:
  using Heard = llvm::function_ref<void(const ResourceEvent &, HeldValue, PathId)>;
  FirstRound(const ResourceState &Before, Heard Say) : Before(Before.Guards), Say(Say) {}

  /// \p S holds. \p InEachRound: what comes next happens in each round.
  void enter(const ResourceState &S, bool InEachRound) {
    Now = &S;
    IsCertain = InEachRound;
  }

  void onLost(const ResourceEvent &E, HeldValue V, PathId Holder) override {
    auto First = Before.find(V), Here = Now->Guards.find(V);
    const bool IsFilled =
        E.Kind == ResourceEventKind::Acquire || E.Kind == ResourceEventKind::Assign;
    if (IsCertain && IsFilled && V.What == HeldValue::Resource && First != Before.end() &&
        Here != Now->Guards.end() && First->second == Here->second)
      Say(E, V, Holder);
  }

private:
  const std::map<HeldValue, SharedGuard> &Before;
  Heard Say;
  const ResourceState *Now = nullptr;
  bool IsCertain = false;
};

/// Some call in the loop takes into a place that holds something before it.
bool FunctionFlow::isTakenAgain(const ResourceState &Before, LoopId Loop) const {
  return llvm::any_of(Order, [&](const CFGBlock *Block) {
    return Paths->isWithin(*Block, Loop) &&
           llvm::any_of(Facts.Blocks[Block->getBlockID()], [&](const ResourceEvent &E) {
             auto Held = Before.Holders.find(E.Path);
             return E.Kind == ResourceEventKind::Acquire && Held != Before.Holders.end() &&
                    llvm::any_of(Held->second, [](HeldValue V) { return V.isResource(); });
           });
  });
}

/// The state in which the loop begins its first round.
ResourceState FunctionFlow::beforeLoop(const CFGBlock &Head) {
  std::vector<std::pair<unsigned, ResourceState>> OfRounds;
  for (const CFGBlock *From : Head.preds())
    if (From && Paths->comesBack(*From, Head))
      OfRounds.push_back({From->getBlockID(), std::exchange(Out[From->getBlockID()], {})});
  ResourceState S = begin(Head);
  for (auto &[Block, Known] : llvm::reverse(OfRounds)) // a block may come back in two ways
    Out[Block] = std::move(Known);
  return S;
}

/// From \p Before on; what comes after an inner loop is left out.
void FunctionFlow::runFirstRound(const CFGBlock &Head, LoopId Loop, const ResourceState &Before,
                                 FirstRound &Listener) {
  std::vector<ResourceState> Known(Out.size());
  std::swap(Known, Out);
  for (const CFGBlock *Block : Order) {
    if (!Paths->isWithin(*Block, Loop) || (Block != &Head && Paths->headedBy(*Block)))
      continue;
    const ResourceState S = Block == &Head ? Before : begin(*Block);
    if (!S.Reached)
      continue;
    Listener.enter(S, runsInEachRound(*Block, Head, Loop));
    Out[Block->getBlockID()] = runBlock(*Block, S);
  }
  std::swap(Known, Out);
}

/// What has been taken before a loop for certain is lost where each round takes the next into
/// the same place.
void FunctionFlow::readFirstRound(const CFGBlock &Head) {
  auto Loop = Paths ? Paths->headedBy(Head) : std::nullopt;
  if (!Loop || !countsRounds(Head))
    return;
  const ResourceState Before = beforeLoop(Head);
  if (!isTakenAgain(Before, *Loop))
    return;
  auto Lose = [&](const ResourceEvent &E, HeldValue V, PathId Holder) {
    if (!Transfer.questions()->mayBeMissing(*Before.Guards.at(V), Paths->at(Head)))
      onLost(E, V, Holder);
  };
  FirstRound Listener(Before, Lose);
  Transfer.listen(Listener);
  runFirstRound(Head, *Loop, Before, Listener);
  Transfer.listen(*this);
}

} // namespace tensorleak
