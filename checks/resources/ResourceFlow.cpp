//===-- ResourceFlow.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/FunctionFlow.h"

#include "checks/Budgets.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Handlers.h"
#include "checks/source/Statements.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

std::unique_ptr<PathConditions> FunctionFlow::pathsOf(const ResourceFacts &Facts) {
  return Facts.Sites.empty() ? nullptr : std::make_unique<PathConditions>(Facts);
}

//===-- The fixed point ---------------------------------------------------===//

ResourceState FunctionFlow::runBlock(const CFGBlock &Block, ResourceState S) {
  if (Paths)
    Transfer.enter(Paths->at(Block));
  for (const ResourceEvent &E : Facts.Blocks[Block.getBlockID()])
    Transfer.apply(E, S);
  return S;
}

/// The way past all handlers of a `try`.
static bool isPastHandlers(const CFGBlock &From, unsigned Successor) {
  const auto *Try = dyn_cast_or_null<CXXTryStmt>(From.getTerminatorStmt());
  return Try && Successor == Try->getNumHandlers();
}

bool FunctionFlow::isTaken(const CFGBlock &From, unsigned Successor) const {
  if (isPastHandlers(From, Successor) &&
      catchesAllThrown(cast<CXXTryStmt>(*From.getTerminatorStmt())))
    return false;
  return !From.hasNoReturnElement() && (!Paths || Paths->isTaken(From, Successor));
}

ResourceState FunctionFlow::arriving(const CFGBlock &From, unsigned Successor, const CFGBlock &To) {
  ResourceState S = unwound(From, To, Out[From.getBlockID()]);
  auto It = Facts.Branches.find(From.getBlockID());
  if (It != Facts.Branches.end() && From.succ_size() == 2) {
    Transfer.refine(It->second, Successor == 0, S);
    const Operand &NotNull = Successor == 0 ? It->second.NullOnFalse : It->second.NullOnTrue;
    if (Paths && !NotNull.empty())
      Transfer.knowNotNull(NotNull, Paths->along(From, Successor), S);
  }
  if (auto Loop = Paths ? Paths->comesBack(From, To) : std::nullopt)
    Transfer.endRound(*Loop, Paths->along(From, Successor), S);
  return S;
}

ResourceState FunctionFlow::begin(const CFGBlock &Block) {
  ResourceState S;
  S.Reached = &Block == &Facts.Cfg->getEntry();
  llvm::SmallPtrSet<const CFGBlock *, 4> Seen;
  for (const CFGBlock *From : Block.preds()) {
    if (!From || !Seen.insert(From).second || !Out[From->getBlockID()].Reached)
      continue;
    unsigned I = 0;
    for (const CFGBlock *Next : From->succs()) {
      if (Next == &Block && isTaken(*From, I))
        Transfer.join(S, arriving(*From, I, Block));
      ++I;
    }
  }
  forget(Block, S);
  return S;
}

/// What is of no more use to any way behind \p Block.
void FunctionFlow::forget(const CFGBlock &Block, ResourceState &S) {
  if (!Paths || !S.Reached || !Paths->passages().isPassage(Block))
    return;
  Transfer.enter(Paths->at(Block));
  Transfer.forgetReleased(S, Paths->forgottenAt(Block));
  Transfer.forgetUnnamed(
      S, [&](const ValueDecl &V) { return Paths->passages().isNamedFrom(Block, V); });
}

/// The first block that waits comes next, so that a loop is done before what stands behind it: what
/// was owned before the loop's releases were known must not stay in a loop that comes later.
void FunctionFlow::iterate() {
  Out.assign(Facts.Cfg->getNumBlockIDs(), {});
  const std::vector<const CFGBlock *> Blocks(Order.begin(), Order.end());
  std::vector<unsigned> Position(Facts.Cfg->getNumBlockIDs(), Blocks.size());
  for (unsigned I = 0; I < Blocks.size(); ++I)
    Position[Blocks[I]->getBlockID()] = I;
  llvm::BitVector Dirty(Blocks.size(), true);
  unsigned Steps = 0;
  for (int I = Dirty.find_first(); I >= 0; I = Dirty.find_first()) {
    if (Steps++ % Blocks.size() == 0 && isOver(Budget::ResourceRounds, Steps / Blocks.size() + 1)) {
      F.Converged = false;
      return;
    }
    Dirty.reset(I);
    if (reachesAnew(*Blocks[I]))
      for (const CFGBlock *Next : Blocks[I]->succs())
        if (Next && Position[Next->getBlockID()] < Blocks.size())
          Dirty.set(Position[Next->getBlockID()]);
  }
}

/// Whether the state behind \p Block is another one than before.
bool FunctionFlow::reachesAnew(const CFGBlock &Block) {
  ResourceState S = begin(Block);
  if (S.Reached)
    S = runBlock(Block, std::move(S));
  ResourceState &Known = Out[Block.getBlockID()];
  if (S == Known)
    return false;
  Known = std::move(S);
  return true;
}

//===-- Reading it --------------------------------------------------------===//

static ResourceExit exitOf(const CFGBlock &Block, const ResourceFacts &Facts) {
  if (auto End = Facts.Ends.find(Block.getBlockID()); End != Facts.Ends.end())
    return {End->second, false};
  for (const CFGElement &Element : llvm::reverse(Block))
    if (auto S = Element.getAs<CFGStmt>()) {
      if (isa<ReturnStmt>(S->getStmt()))
        return {S->getStmt(), false};
      if (isa<CXXThrowExpr>(S->getStmt()))
        return {S->getStmt(), true};
    }
  return {};
}

/// Where the call that takes it puts it.
std::optional<PathId> FunctionFlow::takenInto(HeldValue V) const {
  for (const auto &Block : Facts.Blocks)
    for (const ResourceEvent &E : Block)
      if (E.Kind == ResourceEventKind::Acquire && E.Site == V.Id)
        return E.Path;
  return std::nullopt;
}

PathId FunctionFlow::holderOf(HeldValue V, const ResourceState &S, bool &HeldOutside) const {
  PathId Found = NoPath;
  for (const auto &[P, Values] : S.Holders) {
    if (!Values.count(V))
      continue;
    HeldOutside |= !Transfer.isOwnStorage(P, S);
    if (Found == NoPath)
      Found = P;
  }
  // After a rotation, the helper has a name for it as well.
  if (auto First = F.Rotated.empty() || Found == NoPath ? std::nullopt : takenInto(V))
    if (auto It = S.Holders.find(*First); It != S.Holders.end() && It->second.count(V))
      Found = *First;
  return Found;
}

/// What has no name here: `registry.adopt(owner.release())`.
void FunctionFlow::readRefused(HeldValue V, const ResourceGuard &G, const ResourceExit &Exit,
                               const Conditions &Path) {
  auto Offer = llvm::find_if(F.Offered, [&](const OfferedResource &O) { return O.Site == V.Id; });
  if (Offer == F.Offered.end() || V.What != HeldValue::Resource || Lost.count(V.Id))
    return;
  auto When = Transfer.questions()->ownedAfter(G, Path);
  if (!When)
    return;
  Lost.insert(V.Id);
  F.Lost.push_back(lost(LostResource::Refused, V.Id, NoPath, Offer->When.Call));
  F.Lost.back().Exits.push_back(Exit);
  if (Exit.When == After::Anything)
    F.Lost.back().Exits.back().When = *When;
}

void FunctionFlow::readExit(const ResourceExit &Exit, const ResourceState &S,
                            const Conditions &Path) {
  for (const auto &[V, G] : S.Guards) {
    Ends &E = EndsOf[V.Id];
    bool HeldOutside = false;
    PathId Holder = holderOf(V, S, HeldOutside);
    HeldOutside &= !isDutyBefore(Exit, V.Id);
    if (Holder == NoPath)
      readRefused(V, *G, Exit, Path);
    bool Thrown = Holder != NoPath && HeldOutside && leavesObjectBehind(Holder, Exit);
    E.Freed |= HeldOutside && !Thrown;
    if (Holder == NoPath || (HeldOutside && !Thrown) || isCleanedUp(V, S, Exit) ||
        (E.Freed && isAmong(Holder, S.Empty)))
      continue;
    auto When = Transfer.questions()->ownedAfter(*G, Path);
    if (!When) {
      if (Transfer.questions()->mayBeOwned(*G, Path))
        E.MaybeHolder = Holder;
      continue;
    }
    E.Thrown |= Thrown;
    E.OneByOne |= *When == After::Anything && Transfer.hasGivenElementsOf(V.Id, S);
    E.Holder = Holder;
    E.Leaky.push_back(Exit);
    if (Exit.When == After::Anything)
      E.Leaky.back().When = *When;
  }
}

/// exit() in main ends the program as a return from there does.
bool FunctionFlow::isEndOfMain(const CFGBlock &Block) const {
  return Facts.Function->isMain() && Facts.Ends.count(Block.getBlockID());
}

/// \p Block, and all from which control comes there.
void FunctionFlow::markWaysTo(const CFGBlock &Block) {
  llvm::SmallVector<const CFGBlock *, 16> Work{&Block};
  while (!Work.empty()) {
    const CFGBlock *Each = Work.pop_back_val();
    if (Returning.test(Each->getBlockID()))
      continue;
    Returning.set(Each->getBlockID());
    for (const CFGBlock *Before : Each->preds())
      if (Before && !Before->hasNoReturnElement())
        Work.push_back(Before);
  }
}

static bool isEndlessLoop(const CFGBlock &Head) {
  const auto *Loop = dyn_cast_or_null<ForStmt>(Head.getTerminatorStmt());
  return Loop && !Loop->getCond();
}

/// What happens on the way to exit(1) is nothing that callers see, except in a function that
/// ends in no other way. A loop without an end goes on.
void FunctionFlow::findReturning() {
  Returning.resize(Facts.Cfg->getNumBlockIDs());
  markWaysTo(Facts.Cfg->getExit());
  for (const CFGBlock *Block : Order)
    if (isEndOfMain(*Block) || isEndlessLoop(*Block))
      markWaysTo(*Block);
  if (!Returning.test(Facts.Cfg->getEntry().getBlockID()))
    for (const CFGBlock *Block : Order)
      if (Facts.Ends.count(Block->getBlockID()))
        markWaysTo(*Block);
}

/// Falling off the end behind an `if` is one way out, not two.
void FunctionFlow::addWayOut(const CFGBlock &Block, unsigned Successor) {
  ResourceExit Exit = exitOf(Block, Facts);
  WayOut &Way = WaysOut[Exit.At];
  Way.Exit = Exit;
  Way.Edges.push_back({&Block, Successor});
  Transfer.join(Way.State, arriving(Block, Successor, Facts.Cfg->getExit()));
}

void FunctionFlow::readWayOut(WayOut &Way) {
  if (Paths && !Way.Edges.empty()) // else within a block, whose path it has
    Way.Path = Paths->where(Way.Edges);
  Transfer.enter(Way.Path);
  if (!Way.Exit.Throws && !Way.Exit.ByCallee) // the caller does not go on
    Summarize.exit(Way.Exit.At, Way.State, Transfer);
  readAnswer(Way);
  readExit(Way.Exit, Way.State, Way.Path);
}

/// By a loop that no state of an object or of the program has to allow.
bool FunctionFlow::isFilledEachTime(SiteId Id) const {
  const Stmt *Begin = Facts.Sites[Id].LoopBegin;
  return Begin && llvm::any_of(*Facts.Cfg, [&](const CFGBlock *Block) {
           return llvm::any_of(*Block,
                               [&](const CFGElement &Element) {
                                 auto S = Element.getAs<CFGStmt>();
                                 return S && S->getStmt() == Begin;
                               }) &&
                  !Paths->dependsOnState(Block->getBlockID());
         });
}

/// `if (ready) return;` comes before what the rest of the function takes.
void FunctionFlow::readMissing(const WayOut &Way) {
  GuardQuestions *Ask = Transfer.questions();
  if (Way.Exit.Throws || Way.Exit.ByCallee || !Ask || Ask->whenReached(Way.Path) != After::Anything)
    return;
  Summarize.passBy([&](SiteId Id) {
    if (isFilledEachTime(Id))
      return false;
    auto It = Way.State.Guards.find({HeldValue::Resource, Id});
    return It == Way.State.Guards.end() || Ask->mayBeMissing(*It->second, Way.Path);
  });
}

void FunctionFlow::read() {
  findReturning();
  Transfer.listen(*this);
  for (const CFGBlock *Block : Order) {
    if (!Out[Block->getBlockID()].Reached || !Returning.test(Block->getBlockID()))
      continue;
    Reading = Block;
    runBlock(*Block, begin(*Block));
    readJump(*Block);
    readFirstRound(*Block);
    unsigned I = 0;
    for (const CFGBlock *Next : Block->succs()) {
      if (Next == &Facts.Cfg->getExit() && (isTaken(*Block, I) || isEndOfMain(*Block)))
        addWayOut(*Block, I);
      ++I;
    }
  }
  for (auto &[At, Way] : WaysOut)
    readWayOut(Way);
  Summarize.judgeAccepted();
  Summarize.judgeReturned();
  if (!F.Summary.Takes.empty())
    for (const auto &[At, Way] : WaysOut)
      readMissing(Way);
}

LostResource FunctionFlow::lost(LostResource::HowKind How, SiteId Site, PathId Holder,
                                const Stmt *At) const {
  LostResource L;
  L.How = How;
  L.Site = Site;
  L.Holder = Holder;
  L.At = At;
  return L;
}

/// What nothing in the function releases is lost somewhere, also where no one way out is known to
/// lose it: its condition is too large, or goes with the one under which it is taken.
bool FunctionFlow::isLostSomewhere(SiteId Site, Ends &E) const {
  bool IsOurs = !Facts.Sites[Site].SomeWays && !Facts.Sites[Site].OfCallee;
  if (E.Leaky.empty() && !E.Freed && E.MaybeHolder != NoPath && IsOurs)
    E.Holder = E.MaybeHolder;
  return E.Holder != NoPath;
}

/// The way out to which a `goto` leads says more, where it is known to lose the same.
static void dropJumps(llvm::SmallVectorImpl<ResourceExit> &Leaky) {
  auto IsGoto = [](const ResourceExit &Exit) { return isa_and_nonnull<GotoStmt>(Exit.At); };
  if (!llvm::all_of(Leaky, IsGoto))
    llvm::erase_if(Leaky, IsGoto);
}

const Stmt *FunctionFlow::releaseOf(SiteId Site) const {
  auto Use = llvm::find_if(F.Released, [&](const HolderUse &U) { return U.Site == Site; });
  return Use == F.Released.end() ? nullptr : Use->At;
}

/// Where a round ends early, by `continue`, says more than that the next one begins.
void FunctionFlow::preferJumps() {
  llvm::erase_if(F.Lost, [&](const LostResource &L) {
    auto It = EndsOf.find(L.Site);
    const bool IsAtBegin = L.How == LostResource::Overwritten && isa_and_nonnull<DeclStmt>(L.At);
    const bool Jumps = It != EndsOf.end() && It->second.Holder != NoPath &&
                       llvm::any_of(It->second.Leaky, [](const ResourceExit &Exit) {
                         return isa_and_nonnull<ContinueStmt>(Exit.At);
                       });
    return IsAtBegin && Jumps && Lost.erase(L.Site);
  });
}

void FunctionFlow::judge() {
  preferJumps();
  for (auto &[Site, E] : EndsOf) {
    if (!isLostSomewhere(Site, E) || Lost.count(Site))
      continue;
    dropJumps(E.Leaky);
    bool OnlyThrows =
        !E.Leaky.empty() && llvm::all_of(E.Leaky, [](const ResourceExit &X) { return X.Throws; });
    LostResource L = lost(E.OneByOne              ? LostResource::OneByOne
                          : E.Thrown              ? LostResource::Thrown
                          : E.Freed || OnlyThrows ? LostResource::SomeExit
                                                  : LostResource::NeverFreed,
                          Site, E.Holder, E.OneByOne ? releaseOf(Site) : nullptr);
    L.Exits = std::move(E.Leaky);
    F.Lost.push_back(std::move(L));
  }
  addDropped();
  llvm::erase_if(F.Lost, [&](const LostResource &L) { return isOldLetGo(L); });
  for (LostResource &L : F.Lost) {
    // What a callee takes on some ways it may take under the condition that frees it.
    bool MayGoTogether = L.How == LostResource::SomeExit && Facts.Sites[L.Site].SomeWays;
    L.Doubtful = Doubtful.count(L.Site) || MayGoTogether;
    L.InLoop = Paths->isTakenInLoop(L.Site);
  }
}

void FunctionFlow::run() {
  iterate();
  if (F.Converged) {
    read();
    judge();
  }
  F.Undecided = Paths ? Paths->logic().undecided() : 0;
}

void solveResources(FunctionResources &F) { FunctionFlow(F).run(); }

} // namespace tensorleak
