//===-- ResourceFlow.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/ResourceFlow.h"

#include "checks/analysis/Statements.h"
#include "checks/analysis/resources/OncePerLoop.h"
#include "checks/analysis/resources/ResourceConditions.h"
#include "checks/analysis/resources/ResourceSummarizer.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Rounds over a function's blocks before the analysis gives up on it.
constexpr unsigned MaxRounds = 24;

class Solver : public ResourceListener {
public:
  explicit Solver(FunctionResources &F)
      : F(F), Facts(F.Facts), Transfer(F.Facts), Summarize(F.Facts, F.Summary),
        Order(F.Facts.Cfg) {}

  void run();

private:
  void iterate();
  ResourceState runBlock(const CFGBlock &Block, ResourceState S);
  void flowTo(const CFGBlock &Next, const ResourceState &S, bool &Changed);
  ResourceState refined(const CFGBlock &Block, unsigned Successor, ResourceState S);
  void findReturning();
  void read();
  void markSkipped();
  void readExit(const ResourceExit &Exit, const ResourceState &S);
  void judge();
  PathId holderOf(HeldValue V, const ResourceState &S, bool &HeldOutside) const;
  bool leavesObjectBehind(PathId Holder, const ResourceExit &Exit) const;

  void onLost(const ResourceEvent &E, HeldValue V, PathId Holder) override;
  void onRelease(const ResourceEvent &E, const HeldValues &Values) override;
  void onEscape(const ResourceEvent &E, HeldValue V) override;
  void onTreeEscape(const ResourceEvent &E, PathId P) override;
  void onReturn(const ResourceEvent &E, HeldValue V, llvm::ArrayRef<Step> Part) override;
  void onStore(const ResourceEvent &E, PathId P, const HeldValues &New,
               const ResourceState &S) override;

  struct Ends {
    llvm::SmallVector<ResourceExit, 2> Leaky;
    PathId Holder = NoPath;
    bool Freed = false, Thrown = false;
  };

  FunctionResources &F;
  ResourceFacts &Facts;
  ResourceTransfer Transfer;
  ResourceSummarizer Summarize;
  PostOrderCFGView Order;
  std::vector<ResourceState> In;
  llvm::BitVector Returning; ///< blocks from which the function can return
  llvm::MapVector<const Stmt *, std::pair<ResourceExit, ResourceState>> Exits;
  std::map<SiteId, Ends> EndsOf;
  std::set<SiteId> Doubtful, Lost, TakenOnce;
};

//===-- The fixed point ---------------------------------------------------===//

ResourceState Solver::runBlock(const CFGBlock &Block, ResourceState S) {
  for (const ResourceEvent &E : Facts.Blocks[Block.getBlockID()])
    Transfer.apply(E, S);
  return S;
}

ResourceState Solver::refined(const CFGBlock &Block, unsigned Successor, ResourceState S) {
  auto It = Facts.Branches.find(Block.getBlockID());
  if (It != Facts.Branches.end() && Block.succ_size() == 2)
    for (const Refinement &R : Successor == 0 ? It->second.OnTrue : It->second.OnFalse)
      Transfer.refine(R, S);
  return S;
}

void Solver::flowTo(const CFGBlock &Next, const ResourceState &S, bool &Changed) {
  ResourceState &Into = In[Next.getBlockID()];
  ResourceState Before = Into;
  Transfer.join(Into, S);
  Changed |= !(Into == Before);
}

/// `typeid(T) == typeid(float)`, in an instance of a template.
/// LLVM 19 wants a context that is not const.
static std::optional<bool> comparesTypes(const Expr *Condition, ASTContext &Context) {
  const auto *Op = dyn_cast_or_null<CXXOperatorCallExpr>(Condition);
  if (!Op || Op->getOperator() != OO_EqualEqual || Op->getNumArgs() != 2)
    return std::nullopt;
  const auto *A = dyn_cast<CXXTypeidExpr>(Op->getArg(0)->IgnoreParenImpCasts());
  const auto *B = dyn_cast<CXXTypeidExpr>(Op->getArg(1)->IgnoreParenImpCasts());
  if (!A || !B || !A->isTypeOperand() || !B->isTypeOperand())
    return std::nullopt;
  return Context.hasSameType(A->getTypeOperand(Context), B->getTypeOperand(Context));
}

/// `do { ... } while (0)` does not come round again.
static bool isTaken(const CFGBlock &Block, unsigned Successor, ASTContext &Context) {
  const Expr *Condition = Block.getLastCondition();
  Condition = Condition && Block.succ_size() == 2 ? Condition->IgnoreParenImpCasts() : nullptr;
  if (auto Same = comparesTypes(Condition, Context))
    return *Same == (Successor == 0);
  if (const auto *Bool = dyn_cast_or_null<CXXBoolLiteralExpr>(Condition))
    return Bool->getValue() == (Successor == 0);
  if (const auto *Number = dyn_cast_or_null<IntegerLiteral>(Condition))
    return Number->getValue().getBoolValue() == (Successor == 0);
  return true;
}

void Solver::iterate() {
  In.assign(Facts.Cfg->getNumBlockIDs(), {});
  In[Facts.Cfg->getEntry().getBlockID()].Reached = true;
  bool Changed = true;
  for (unsigned Round = 0; Changed; ++Round) {
    if (Round == MaxRounds) {
      F.Converged = false;
      return;
    }
    Changed = false;
    for (const CFGBlock *Block : Order) {
      if (!In[Block->getBlockID()].Reached)
        continue;
      ResourceState After = runBlock(*Block, In[Block->getBlockID()]);
      unsigned I = 0;
      for (const CFGBlock *Next : Block->succs()) {
        bool EndsProgram = Block->hasNoReturnElement();
        if (Next && !EndsProgram && isTaken(*Block, I, Facts.Function->getASTContext()))
          flowTo(*Next, refined(*Block, I, After), Changed);
        ++I;
      }
    }
  }
}

//===-- Reading it --------------------------------------------------------===//

static ResourceExit exitOf(const CFGBlock &Block) {
  for (const CFGElement &Element : llvm::reverse(Block))
    if (auto S = Element.getAs<CFGStmt>()) {
      if (isa<ReturnStmt>(S->getStmt()))
        return {S->getStmt(), false};
      if (isa<CXXThrowExpr>(S->getStmt()))
        return {S->getStmt(), true};
    }
  return {};
}

PathId Solver::holderOf(HeldValue V, const ResourceState &S, bool &HeldOutside) const {
  PathId Found = NoPath;
  for (const auto &[P, Values] : S.Holders) {
    if (!Values.count(V))
      continue;
    HeldOutside |= !Transfer.isOwnStorage(P, S);
    if (Found == NoPath)
      Found = P;
  }
  return Found;
}

/// The destructor of an object whose constructor throws does not run; those of its
/// bases and members do.
bool Solver::leavesObjectBehind(PathId Holder, const ResourceExit &Exit) const {
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Facts.Function);
  if (!Exit.Throws || !Constructor || Constructor->isDelegatingConstructor() ||
      Facts.Paths.variable(Holder) || Facts.Paths.last(Holder).What != Step::Field)
    return false;
  const ValueDecl *Member = Facts.Paths.steps(Holder).front().Decl;
  const auto *Class = Member ? Member->getType()->getAsCXXRecordDecl() : nullptr;
  bool MemberCleansUp = Class && Class->hasDefinition() && Class->hasUserDeclaredDestructor();
  return Member && Member->getDeclContext()->Equals(Constructor->getParent()) && !MemberCleansUp;
}

static bool isReturned(const ResourceSummary::Taken &T) {
  return llvm::any_of(T.Where, [](const RelativeResourcePath &Where) {
    return Where.Root == RelativeResourcePath::Returned;
  });
}

void Solver::readExit(const ResourceExit &Exit, const ResourceState &S) {
  if (!Exit.Throws) // the caller does not go on
    Summarize.exit(S, Transfer);
  for (const auto &[V, TheFate] : S.Fates) {
    bool NeverWas = V.What == HeldValue::Older && TakenOnce.count(V.Id);
    if (!V.isResource() || NeverWas || TheFate == ResourceFate::NotTaken)
      continue;
    Ends &E = EndsOf[V.Id];
    bool HeldOutside = false;
    PathId Holder = TheFate == ResourceFate::Owned ? holderOf(V, S, HeldOutside) : NoPath;
    bool Thrown = Holder != NoPath && HeldOutside && leavesObjectBehind(Holder, Exit);
    if (Holder == NoPath || (HeldOutside && !Thrown)) {
      E.Freed = true;
      continue;
    }
    E.Thrown |= Thrown;
    E.Holder = Holder;
    E.Leaky.push_back(Exit);
  }
}

/// What happens on the way to exit(1) is nothing that callers see.
void Solver::findReturning() {
  Returning.resize(Facts.Cfg->getNumBlockIDs());
  llvm::SmallVector<const CFGBlock *, 16> Work{&Facts.Cfg->getExit()};
  while (!Work.empty()) {
    const CFGBlock *Block = Work.pop_back_val();
    if (Returning.test(Block->getBlockID()))
      continue;
    Returning.set(Block->getBlockID());
    for (const CFGBlock *Before : Block->preds())
      if (Before && !Before->hasNoReturnElement())
        Work.push_back(Before);
  }
}

void Solver::read() {
  findReturning();
  Transfer.listen(*this);
  for (const CFGBlock *Block : Order) {
    if (!In[Block->getBlockID()].Reached || !Returning.test(Block->getBlockID()))
      continue;
    ResourceState After = runBlock(*Block, In[Block->getBlockID()]);
    if (!Block->hasNoReturnElement())
      for (const CFGBlock *Next : Block->succs())
        if (Next == &Facts.Cfg->getExit()) {
          ResourceExit Exit = exitOf(*Block);
          // Falling off the end behind an `if` is one way out, not two.
          auto &[TheExit, State] = Exits[Exit.At];
          TheExit = Exit;
          Transfer.join(State, After);
        }
  }
  for (const auto &[At, Each] : Exits)
    readExit(Each.first, Each.second);
  markSkipped();
}

/// `if (ready) return;` comes before what the rest of the function takes.
void Solver::markSkipped() {
  if (Exits.size() < 2 || F.Summary.Takes.empty())
    return;
  ResourceConditions Conditions(Facts);
  for (const auto &[At, Each] : Exits) {
    const auto &[Exit, State] = Each;
    if (Exit.Throws || Conditions.whenTaken(At) != ResourceConditions::After::Anything)
      continue;
    for (ResourceSummary::Taken &T : F.Summary.Takes)
      T.Maybe |= !isReturned(T) && !State.Fates.count({HeldValue::Resource, T.Site});
  }
}

void Solver::judge() {
  for (auto &[Site, E] : EndsOf) {
    if (E.Leaky.empty() || Lost.count(Site))
      continue;
    LostResource L;
    L.How = E.Thrown ? LostResource::Thrown : E.Freed ? LostResource::SomeExit : LostResource::NeverFreed;
    L.Site = Site;
    L.Holder = E.Holder;
    L.Exits = std::move(E.Leaky);
    F.Lost.push_back(std::move(L));
  }
  for (LostResource &L : F.Lost)
    L.Doubtful = Doubtful.count(L.Site);
}

void Solver::run() {
  iterate();
  if (!F.Converged)
    return;
  read();
  judge();
}

//===-- What happens on the way -------------------------------------------===//

void Solver::onLost(const ResourceEvent &E, HeldValue V, PathId Holder) {
  const Site &S = Facts.Sites[V.Id];
  // Whether this call was one that takes it is known to the callee alone.
  if (S.SomeWays)
    return;
  // In the next round of a loop, which does not come here again.
  if (contains(E.At, S.Call) && runsOncePerLoop(S.Call, *Facts.Function)) {
    TakenOnce.insert(V.Id);
    return;
  }
  if (!Lost.insert(V.Id).second)
    return;
  LostResource L;
  L.How = LostResource::Overwritten;
  L.Site = V.Id;
  L.Holder = Holder;
  L.At = E.At;
  F.Lost.push_back(std::move(L));
}

void Solver::onRelease(const ResourceEvent &E, const HeldValues &Values) {
  Summarize.release(E, Values);
  bool Wrong = !Values.empty();
  for (const HeldValue &V : Values) {
    if (V.What == HeldValue::Initial)
      F.Released.push_back({V.Id, std::nullopt, E.At, E.ByCallee});
    if (V.isResource())
      F.Released.push_back({NoPath, V.Id, E.At, E.ByCallee});
    Wrong &= V.isResource() && !Facts.Sites[V.Id].isAcceptedBy(E.Accepts) &&
             !infoOf(Facts.Sites[V.Id].What).IsHost; // new and free are other tools' business
  }
  if (!Wrong)
    return;
  LostResource L;
  L.How = LostResource::WrongCall;
  L.Site = Values.begin()->Id;
  L.At = E.At;
  Lost.insert(L.Site);
  F.Lost.push_back(std::move(L));
}

void Solver::onEscape(const ResourceEvent &E, HeldValue V) {
  if (E.Kind == ResourceEventKind::Return)
    return;
  Summarize.escape(E, V);
  if (V.isResource() && E.Kind == ResourceEventKind::Doubt)
    Doubtful.insert(V.Id);
  if (V.What == HeldValue::Initial && E.Kind != ResourceEventKind::Doubt)
    F.MaybeReleased.push_back({V.Id, std::nullopt, E.At, E.ByCallee});
}

void Solver::onTreeEscape(const ResourceEvent &E, PathId P) {
  if (E.Kind == ResourceEventKind::Return)
    return;
  Summarize.treeEscape(P);
  F.SeenByOthers.push_back(P);
}

void Solver::onReturn(const ResourceEvent &, HeldValue V, llvm::ArrayRef<Step> Part) {
  Summarize.returned(V, Part);
}

/// Not when this function hands it on, into another object than the callee filled.
static bool isPutThereByCallee(const Site &S, const ResourceEvent &E) {
  return S.OfCallee && (E.Kind == ResourceEventKind::Acquire || E.At == S.Call);
}

void Solver::onStore(const ResourceEvent &E, PathId P, const HeldValues &New,
                     const ResourceState &S) {
  bool Outside = !Transfer.isOwnStorage(P, S);
  for (const HeldValue &V : New) {
    if (V.What != HeldValue::Resource || isPutThereByCallee(Facts.Sites[V.Id], E))
      continue;
    F.Taken.push_back({P, V.Id, E.At, E.ByCallee});
    // Nothing on the way here has freed what was there before.
    bool Replaces = Outside && Facts.Paths.isExact(P) && !S.Holders.count(P) &&
                    S.fateOf({HeldValue::Initial, P}) == ResourceFate::NotTaken;
    if (!Replaces)
      continue;
    LostResource L;
    L.How = LostResource::Regrown;
    L.Site = V.Id;
    L.Holder = P;
    L.At = E.At;
    F.Lost.push_back(std::move(L));
  }
}

} // namespace

void solveResources(FunctionResources &F) { Solver(F).run(); }

} // namespace tensorleak
