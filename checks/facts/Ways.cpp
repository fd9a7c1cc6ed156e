//===-- Ways.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Ways.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {

const CFGBlock &blockOf(const FunctionFacts &Facts, unsigned Index) {
  for (const CFGBlock *Block : *Facts.Cfg) {
    BlockRange Range = Facts.Blocks[Block->getBlockID()];
    if (Range.Begin <= Index && Index < Range.End)
      return *Block;
  }
  return Facts.Cfg->getEntry(); // nothing was emitted there
}

/// Whether some way leads from behind \p From to \p To, and not through \p Barriers.
static bool isWay(const CFGBlock &From, const CFGBlock &To, const llvm::BitVector &Barriers) {
  llvm::BitVector Seen = Barriers;
  llvm::SmallVector<const CFGBlock *, 16> Work{&From};
  while (!Work.empty())
    for (const CFGBlock *Next : Work.pop_back_val()->succs()) {
      if (Next == &To)
        return true;
      if (!Next || Seen.test(Next->getBlockID()))
        continue;
      Seen.set(Next->getBlockID());
      Work.push_back(Next);
    }
  return false;
}

bool leadsTo(const FunctionFacts &Facts, unsigned From, unsigned To) {
  const CFGBlock &First = blockOf(Facts, From), &Last = blockOf(Facts, To);
  if (&First == &Last && From < To)
    return true;
  return isWay(First, Last, llvm::BitVector(Facts.Cfg->getNumBlockIDs()));
}

/// Where it is decided whether the loop \p L has another round; null for one that has no end.
static const CFGBlock *headOf(const FunctionFacts &Facts, LoopId L) {
  for (const CFGBlock *Block : *Facts.Cfg)
    if (Block->getTerminatorStmt() == Facts.Loops[L].S)
      return Block;
  return nullptr;
}

bool isUnconditional(const FunctionFacts &Facts, unsigned Index) {
  const CFGBlock &Own = blockOf(Facts, Index), &Exit = Facts.Cfg->getExit();
  llvm::BitVector Barriers(Facts.Cfg->getNumBlockIDs());
  Barriers.set(Own.getBlockID());
  const LoopId Innermost = Facts.Events[Index].InLoop;
  const CFGBlock *Round = Innermost == NoId ? nullptr : headOf(Facts, Innermost);
  if (Round && Round != &Own && isWay(*Round, *Round, Barriers))
    return false;
  for (LoopId L = Innermost; L != NoId; L = Facts.Loops[L].Parent)
    if (const CFGBlock *Head = headOf(Facts, L))
      Barriers.set(Head->getBlockID());
  const CFGBlock &Entry = Facts.Cfg->getEntry();
  return &Own == &Entry || !isWay(Entry, Exit, Barriers);
}

bool excludeEachOther(const FunctionFacts &Facts, unsigned A, unsigned B, LoopId L) {
  const CFGBlock &First = blockOf(Facts, A), &Second = blockOf(Facts, B), *Head = headOf(Facts, L);
  llvm::BitVector NextRound(Facts.Cfg->getNumBlockIDs());
  if (Head)
    NextRound.set(Head->getBlockID());
  return Head && &First != &Second && !isWay(First, Second, NextRound) &&
         !isWay(Second, First, NextRound);
}

} // namespace tensorleak
