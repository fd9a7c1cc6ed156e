//===-- FunctionFlow.h - The flow of resources through one function -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources: the fixed point over the blocks of the control-flow graph, and what is
// read from it: which resources are lost, where, and what callers see. Private to
// ResourceFlow.cpp and ResourceLosses.cpp; all others ask solveResources.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FUNCTIONFLOW_H
#define TENSORLEAK_CHECKS_RESOURCES_FUNCTIONFLOW_H

#include "checks/resources/ResourceFlow.h"
#include "checks/resources/ResourceSummarizer.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace tensorleak {

class FirstRound;

class FunctionFlow : public ResourceListener {
public:
  explicit FunctionFlow(FunctionResources &F)
      : F(F), Facts(F.Facts), Paths(pathsOf(F.Facts)), Transfer(F.Facts, Paths.get()),
        Summarize(F.Facts, F.Summary), Order(F.Facts.Cfg) {}

  void run();

private:
  static std::unique_ptr<PathConditions> pathsOf(const ResourceFacts &Facts);
  void iterate();
  bool reachesAnew(const clang::CFGBlock &Block);
  ResourceState begin(const clang::CFGBlock &Block);
  void forget(const clang::CFGBlock &Block, ResourceState &S);
  ResourceState runBlock(const clang::CFGBlock &Block, ResourceState S);
  ResourceState unwound(const clang::CFGBlock &From, const clang::CFGBlock &To, ResourceState S);
  ResourceState arriving(const clang::CFGBlock &From, unsigned Successor,
                         const clang::CFGBlock &To);
  bool isTaken(const clang::CFGBlock &From, unsigned Successor) const;
  void findReturning();
  void markWaysTo(const clang::CFGBlock &Block);
  bool isEndOfMain(const clang::CFGBlock &Block) const;
  void read();
  struct WayOut;
  void addWayOut(const clang::CFGBlock &Block, unsigned Successor);
  void readAnswer(const WayOut &Way);
  void readWayOut(WayOut &Way);
  void readMissing(const WayOut &Way);
  bool isFilledEachTime(SiteId Id) const;
  void readRefused(HeldValue V, const ResourceGuard &G, const ResourceExit &Exit,
                   const Conditions &Path);
  void readExit(const ResourceExit &Exit, const ResourceState &S, const Conditions &Path);
  bool isTakenAnew(PathId Holder, SiteId Id, const clang::Stmt &Body) const;
  bool isTakenInEachRound(const clang::CFGBlock &Jump, SiteId Id) const;
  bool isLeftBy(const clang::CFGBlock &Jump, HeldValue V, const ResourceState &S,
                const clang::Stmt &Body) const;
  bool isDutyWithin(const clang::Stmt &Part, SiteId Id) const;
  bool isDutyWithin(const clang::Stmt &Part, SiteId Id,
                    llvm::function_ref<bool(const clang::Stmt &)> Counts) const;
  bool isDutyBefore(const ResourceExit &Exit, SiteId Id) const;
  bool isPassedBy(const clang::CFGBlock &Goto, HeldValue V, const ResourceState &S) const;
  void readJump(const clang::CFGBlock &Block);
  void readFirstRound(const clang::CFGBlock &Head);
  bool isTakenAgain(const ResourceState &Before, LoopId Loop) const;
  ResourceState beforeLoop(const clang::CFGBlock &Head);
  void runFirstRound(const clang::CFGBlock &Head, LoopId Loop, const ResourceState &Before,
                     FirstRound &Listener);
  bool runsInEachRound(const clang::CFGBlock &Block, const clang::CFGBlock &Head,
                       LoopId Loop) const;
  void preferJumps();
  void judge();
  const clang::Stmt *releaseOf(SiteId Site) const;
  struct Ends;
  bool isLostSomewhere(SiteId Site, Ends &E) const;
  void addDropped();
  void handOn(const ResourceEvent &E, HeldValue V);
  bool mayMeanOther(const ResourceEvent &E, SiteId Id) const;
  PathId holderOf(HeldValue V, const ResourceState &S, bool &HeldOutside) const;
  bool isForgotten(PathId Holder, const clang::CXXTryStmt &Try);
  bool isNamedAfter(const clang::CXXTryStmt &Try, const clang::ValueDecl &Variable);
  bool isCleanedUp(PathId Holder, const ResourceExit &Exit) const;
  bool isCleanedUp(HeldValue V, const ResourceState &S, const ResourceExit &Exit) const;
  bool leavesObjectBehind(PathId Holder, const ResourceExit &Exit) const;
  bool isAmong(PathId P, const std::set<PathId> &Elements) const;
  bool isFilledAnew(PathId P, SiteId Site, const ResourceState &S) const;
  bool runsWithOld(PathId P) const;
  void regrow(const ResourceEvent &E, PathId P, SiteId Site, bool IsOldNamed, bool IsEmptied);
  bool isOldLetGo(const LostResource &L) const;
  LostResource lost(LostResource::HowKind How, SiteId Site, PathId Holder,
                    const clang::Stmt *At) const;

  void onLost(const ResourceEvent &E, HeldValue V, PathId Holder) override;
  void onRelease(const ResourceEvent &E, const HeldValues &Values) override;
  void onEscape(const ResourceEvent &E, HeldValue V) override;
  void onOffer(HeldValue V, const CallAnswer &When) override;
  void onView(const ResourceEvent &E, HeldValue V) override;
  void onTreeEscape(const ResourceEvent &E, PathId P) override;
  void onReturn(const ResourceEvent &E, HeldValue V, llvm::ArrayRef<Step> Part) override;
  void onThrow(const ResourceEvent &E, const ResourceState &S) override;
  void onRemove(const ResourceEvent &E, PathId P, const std::set<PathId> &Settled) override {
    if (E.Whole)
      F.Replaced.push_back({{P, std::nullopt, E.At}, E.Whole});
    else
      F.Removed.push_back({P, std::nullopt, E.At});
    for (PathId Q : Settled)
      F.Settled.push_back({Q, std::nullopt, E.At});
  }
  void onRotate(llvm::ArrayRef<PathId> Places, bool IsWhole) override;
  std::optional<PathId> takenInto(HeldValue V) const;
  void onStore(const ResourceEvent &E, PathId P, const HeldValues &New,
               const ResourceState &S) override;

  struct WayOut {
    ResourceExit Exit;
    ResourceState State;
    std::vector<std::pair<const clang::CFGBlock *, unsigned>> Edges;
    Conditions Path;
  };
  struct Ends {
    llvm::SmallVector<ResourceExit, 2> Leaky;
    PathId Holder = NoPath;
    PathId MaybeHolder = NoPath; ///< on a way out where it is not known whether it is still owned
    bool Freed = false, Thrown = false;
    bool OneByOne = false; ///< some of what a loop has taken is given back there
  };

  FunctionResources &F;
  ResourceFacts &Facts;
  std::unique_ptr<PathConditions> Paths; ///< null where the function takes nothing
  ResourceTransfer Transfer;
  ResourceSummarizer Summarize;
  clang::PostOrderCFGView Order;
  std::vector<ResourceState> Out; ///< at the end of each block
  llvm::BitVector Returning;      ///< blocks from which the function can return, or go on
  const clang::CFGBlock *Reading = nullptr;
  llvm::MapVector<const clang::Stmt *, WayOut> WaysOut;
  std::map<SiteId, Ends> EndsOf;
  llvm::DenseMap<std::pair<const clang::CXXTryStmt *, const clang::ValueDecl *>, bool> NamedAfter;
  std::set<SiteId> Doubtful, Lost;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FUNCTIONFLOW_H
