//===-- Ways.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Ways.h"

#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
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

/// Of a block that ends with `if (is_training())`: the way that a training does not take; null for
/// other blocks.
static const CFGBlock *wayOfEvaluation(const CFGBlock &Block) {
  const Expr *Asked = Block.succ_size() == 2 ? Block.getLastCondition() : nullptr;
  bool WhereTrue = false;
  while (const auto *Not = dyn_cast_or_null<UnaryOperator>(Asked ? strip(Asked) : nullptr)) {
    if (Not->getOpcode() != UO_LNot)
      return nullptr;
    WhereTrue = !WhereTrue;
    Asked = Not->getSubExpr();
  }
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Asked ? strip(Asked) : nullptr);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || Method->getName() != "is_training")
    return nullptr;
  return *(Block.succ_begin() + (WhereTrue ? 0 : 1));
}

/// Whether some way leads from behind \p From to \p To, and not through \p Barriers.
static bool isWay(const CFGBlock &From, const CFGBlock &To, const llvm::BitVector &Barriers,
                  bool InTraining = false) {
  llvm::BitVector Seen = Barriers;
  llvm::SmallVector<const CFGBlock *, 16> Work{&From};
  while (!Work.empty()) {
    const CFGBlock &Block = *Work.pop_back_val();
    const CFGBlock *NotTaken = InTraining ? wayOfEvaluation(Block) : nullptr;
    for (const CFGBlock *Next : Block.succs()) {
      if (!Next || Next == NotTaken)
        continue;
      if (Next == &To)
        return true;
      if (Seen.test(Next->getBlockID()))
        continue;
      Seen.set(Next->getBlockID());
      Work.push_back(Next);
    }
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

bool isUnconditional(const FunctionFacts &Facts, unsigned Index, bool InTraining) {
  const CFGBlock &Own = blockOf(Facts, Index), &Exit = Facts.Cfg->getExit();
  llvm::BitVector Barriers(Facts.Cfg->getNumBlockIDs());
  Barriers.set(Own.getBlockID());
  const LoopId Innermost = Facts.Events[Index].InLoop;
  const CFGBlock *Round = Innermost == NoId ? nullptr : headOf(Facts, Innermost);
  if (Round && Round != &Own && isWay(*Round, *Round, Barriers, InTraining))
    return false;
  for (LoopId L = Innermost; L != NoId; L = Facts.Loops[L].Parent)
    if (const CFGBlock *Head = headOf(Facts, L))
      Barriers.set(Head->getBlockID());
  const CFGBlock &Entry = Facts.Cfg->getEntry();
  return &Own == &Entry || !isWay(Entry, Exit, Barriers, InTraining);
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
