//===-- BlockWalk.h - Ways over the blocks of a function --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Does control come from here to there, and not past what lets go in between?"
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_BLOCKS_BLOCKWALK_H
#define TENSORLEAK_CHECKS_SOURCE_BLOCKS_BLOCKWALK_H

#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensorleak {

/// The block in which \p S is evaluated; null for none.
const clang::CFGBlock *blockOf(const clang::CFG &Cfg, const clang::Stmt *S);

using Blocks = llvm::SmallPtrSet<const clang::CFGBlock *, 32>;

/// How control goes from one block to the next.
struct BlockEdge {
  const clang::CFGBlock *From = nullptr; ///< null for the block in which a walk begins
  unsigned Way = 0; ///< which of its successors it is: 0 where a condition is true
  /// The condition whose answer chooses \p Way; null where there is none, or where it has more than
  /// two answers.
  const clang::Expr *condition() const;
};

enum class Toward : uint8_t { Exit, Entry };

/// The blocks to which walks from \p Begin come, that among them. \p Enters is asked before a walk
/// enters \p Next by the edge \p By, and ends it there with false. \p Begin may be null.
Blocks
blocksFrom(const clang::CFGBlock *Begin, Toward To,
           llvm::function_ref<bool(const clang::CFGBlock &Next, const BlockEdge &By)> Enters);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_BLOCKS_BLOCKWALK_H
