//===-- Loops.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Loops.h"

#include "checks/Budgets.h"

using namespace clang;

namespace tensorleak {

Loops::Loops(const CFG &Cfg, EdgeTest IsTaken)
    : Position(Cfg.getNumBlockIDs()), Around(Cfg.getNumBlockIDs()) {
  for (const CFGBlock *Block : PostOrderCFGView(&Cfg)) {
    Position[Block->getBlockID()] = Order.size();
    Order.push_back(Block);
  }
  for (const CFGBlock *Head : Order)
    for (const CFGBlock *Last : Head->preds()) {
      if (!Last || !comesBack(*Last, *Head))
        continue;
      unsigned Successor = llvm::find(Last->succs(), Head) - Last->succ_begin();
      if (!IsTaken(*Last, Successor))
        continue;
      isOver(Budget::LoopsApart, Headed.size() + 1);
      LoopId Next = std::min<LoopId>(Headed.size(), MaxLoops - 1);
      LoopId L = Headed.try_emplace(Head->getBlockID(), Next).first->second;
      Around[Head->getBlockID()] |= only(L);
      unsigned &End = LastOf[Head->getBlockID()];
      End = std::max(End, Position[Last->getBlockID()]);
      addRound(*Last, L);
    }
}

llvm::ArrayRef<const CFGBlock *> Loops::span(const CFGBlock &Head) const {
  const unsigned First = Position[Head.getBlockID()];
  auto It = LastOf.find(Head.getBlockID());
  return It == LastOf.end() ? llvm::ArrayRef<const CFGBlock *>()
                            : llvm::ArrayRef(Order).slice(First, It->second - First + 1);
}

/// \p Last, and what leads to it from the head.
void Loops::addRound(const CFGBlock &Last, LoopId L) {
  llvm::SmallVector<const CFGBlock *, 8> Work{&Last};
  while (!Work.empty()) {
    const CFGBlock *Block = Work.pop_back_val();
    if (Around[Block->getBlockID()] & only(L))
      continue;
    Around[Block->getBlockID()] |= only(L);
    for (const CFGBlock *Before : Block->preds())
      if (Before)
        Work.push_back(Before);
  }
}

bool Loops::comesBack(const CFGBlock &From, const CFGBlock &To) const {
  return Position[To.getBlockID()] <= Position[From.getBlockID()];
}

std::optional<LoopId> Loops::headedBy(const CFGBlock &Block) const {
  auto It = Headed.find(Block.getBlockID());
  return It == Headed.end() ? std::nullopt : std::optional(It->second);
}

} // namespace tensorleak
