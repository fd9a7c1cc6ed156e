//===-- Loops.h - Which blocks run in rounds -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. The loops of a control-flow graph, outer ones before inner ones, and
// the edges that begin another round.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_LOOPS_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_LOOPS_H

#include "checks/resources/conditions/Logic.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"

namespace tensorleak {

class Loops {
public:
  /// As many bits as a LoopSet has: see Budget::LoopsApart. All others count as the last one.
  static constexpr LoopId MaxLoops = 64;

  using EdgeTest = llvm::function_ref<bool(const clang::CFGBlock &, unsigned Successor)>;
  /// \p IsTaken: `while (0)` begins no other round.
  Loops(const clang::CFG &Cfg, EdgeTest IsTaken);

  /// In an order in which all but the edges that begin another round lead forward.
  const std::vector<const clang::CFGBlock *> &order() const { return Order; }
  bool comesBack(const clang::CFGBlock &From, const clang::CFGBlock &To) const;
  /// The loop whose rounds begin at \p Block.
  std::optional<LoopId> headedBy(const clang::CFGBlock &Block) const;
  /// From \p Head on, as far as its rounds go: these blocks and perhaps others.
  llvm::ArrayRef<const clang::CFGBlock *> span(const clang::CFGBlock &Head) const;
  LoopSet around(unsigned Block) const { return Around[Block]; }

private:
  void addRound(const clang::CFGBlock &Last, LoopId L);

  std::vector<const clang::CFGBlock *> Order;
  std::vector<unsigned> Position;
  std::vector<LoopSet> Around;
  std::map<unsigned, LoopId> Headed;
  std::map<unsigned, unsigned> LastOf; ///< by head: the position from which a round begins last
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_LOOPS_H
