//===-- Passages.h - Blocks that all ways pass -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A passage is a block outside of all loops that every way to what comes after
// it leads through: what no way behind it can ask for can be forgotten there. That keeps the
// states of a long function as small as those of its parts.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PASSAGES_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PASSAGES_H

#include "checks/resources/facts/ResourceFacts.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensorleak {

class Passages {
public:
  /// \p Order is the reverse post order of the blocks. A `return` bypasses
  /// nothing: what comes after it is not reached by it.
  Passages(const ResourceFacts &Facts, llvm::ArrayRef<const clang::CFGBlock *> Order);

  bool isPassage(const clang::CFGBlock &Block) const { return AllPass.test(Block.getBlockID()); }
  /// Whether \p V stands in the code of \p Block or of what comes after it, or may be read
  /// there by another name.
  bool isNamedFrom(const clang::CFGBlock &Block, const clang::ValueDecl &V) const;

private:
  void findPassages(llvm::ArrayRef<const clang::CFGBlock *> Order);
  void findNames(const ResourceFacts &Facts, const clang::CFGBlock &Block);
  void nameAll(const clang::Stmt &S, unsigned At, llvm::SmallPtrSetImpl<const clang::Stmt *> &Seen);
  void name(const clang::ValueDecl *V, unsigned At);

  std::vector<unsigned> Position;                               ///< by block
  llvm::BitVector AllPass;                                      ///< by block
  llvm::DenseMap<const clang::ValueDecl *, unsigned> LastNamed; ///< positions
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PASSAGES_H
