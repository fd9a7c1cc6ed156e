//===-- BlockWalk.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/blocks/BlockWalk.h"

using namespace clang;

namespace tensorleak {

const CFGBlock *blockOf(const CFG &Cfg, const Stmt *S) {
  for (const CFGBlock *Block : Cfg)
    for (const CFGElement &Element : *Block)
      if (auto Here = Element.getAs<CFGStmt>(); Here && Here->getStmt() == S)
        return Block;
  return nullptr;
}

const Expr *BlockEdge::condition() const {
  return From && From->succ_size() == 2 ? From->getLastCondition() : nullptr;
}

using OnEdge = llvm::function_ref<void(const CFGBlock *Next, const BlockEdge &By)>;

static void forEachBehind(const CFGBlock &Block, OnEdge Do) {
  unsigned Way = 0;
  for (const CFGBlock *Next : Block.succs())
    Do(Next, {&Block, Way++});
}

static void forEachBefore(const CFGBlock &Block, OnEdge Do) {
  for (const CFGBlock *Before : Block.preds())
    if (Before)
      forEachBehind(*Before, [&](const CFGBlock *Next, const BlockEdge &By) {
        if (Next == &Block)
          Do(Before, By);
      });
}

Blocks blocksFrom(const CFGBlock *Begin, Toward To,
                  llvm::function_ref<bool(const CFGBlock &Next, const BlockEdge &By)> Enters) {
  Blocks Entered;
  llvm::SmallVector<const CFGBlock *, 16> Work;
  auto Enter = [&](const CFGBlock *Next, const BlockEdge &By) {
    if (Next && !Entered.count(Next) && Enters(*Next, By)) {
      Entered.insert(Next);
      Work.push_back(Next);
    }
  };
  Enter(Begin, {});
  while (!Work.empty()) {
    const CFGBlock &Block = *Work.pop_back_val();
    To == Toward::Exit ? forEachBehind(Block, Enter) : forEachBefore(Block, Enter);
  }
  return Entered;
}

} // namespace tensorleak
