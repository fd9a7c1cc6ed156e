//===-- Dataflow.h - One driver for all forward dataflows -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worklist over the control-flow graph of one function, in reverse post order. An
// analysis says what holds at the entry, what a block does to it, what a branch adds, and
// how two paths join; the driver finds the fixed point, within a budget.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_DATAFLOW_H
#define TENSORLEAK_CHECKS_FLOW_DATAFLOW_H

#include "checks/Budgets.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"
#include <optional>
#include <vector>

namespace tensorleak {

/// \p Derived, an analysis whose facts are \p State, has
///
///   void transfer(const clang::CFGBlock &Block, State &S);
///     turns what holds before the block into what holds after it;
///   bool join(State &Into, const State &From);
///     adds what holds on one more path, and returns whether anything was new;
///   bool refine(const clang::CFGBlock &Block, unsigned Successor, State &S);
///     adds what the branch to the successor tells; false where it is never taken. May be
///     left out.
///
/// join has to be monotone over states of finite height for a fixed point to exist.
template <class Derived, class State> class ForwardDataflow {
public:
  // Not private with Derived as a friend: a class may stand between the two.
  // NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility)
  explicit ForwardDataflow(const clang::CFG &Cfg)
      : Cfg(Cfg), Order(&Cfg), Before(Cfg.getNumBlockIDs()) {}

  /// From \p AtEntry to the fixed point. False where a block would be visited more often
  /// than \p Visits allows: then nothing is known, not even what was found so far.
  bool solve(State AtEntry, Budget Visits) {
    std::vector<unsigned> Visited(Cfg.getNumBlockIDs());
    clang::ForwardDataflowWorklist Work(Cfg, &Order);
    Before[Cfg.getEntry().getBlockID()] = std::move(AtEntry);
    Work.enqueueBlock(&Cfg.getEntry());
    while (const clang::CFGBlock *Block = Work.dequeue()) {
      if (isOver(Visits, ++Visited[Block->getBlockID()])) {
        Before.assign(Before.size(), std::nullopt);
        return false;
      }
      flowFrom(*Block, Work);
    }
    return true;
  }

  /// Calls \p Visit(block, what holds before it) for each block that a path leads to, in
  /// reverse post order.
  template <class Visitor> void forEachReached(Visitor Visit) const {
    for (const clang::CFGBlock *Block : Order)
      if (const std::optional<State> &S = Before[Block->getBlockID()])
        Visit(*Block, *S);
  }

protected:
  bool refine(const clang::CFGBlock &, unsigned, State &) { return true; }

private:
  void flowFrom(const clang::CFGBlock &Block, clang::ForwardDataflowWorklist &Work) {
    State After = *Before[Block.getBlockID()];
    self().transfer(Block, After);
    unsigned Successor = 0;
    for (const clang::CFGBlock *Next : Block.succs()) {
      unsigned Number = Successor++;
      State OnBranch = After;
      if (Next && self().refine(Block, Number, OnBranch) && flowTo(*Next, std::move(OnBranch)))
        Work.enqueueBlock(Next);
    }
  }

  bool flowTo(const clang::CFGBlock &Next, State &&S) {
    std::optional<State> &Into = Before[Next.getBlockID()];
    if (Into)
      return self().join(*Into, S);
    Into = std::move(S);
    return true;
  }

  Derived &self() { return static_cast<Derived &>(*this); }

  const clang::CFG &Cfg;
  clang::PostOrderCFGView Order;
  std::vector<std::optional<State>> Before; ///< by block; nothing where no path leads
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_DATAFLOW_H
