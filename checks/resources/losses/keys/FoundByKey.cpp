//===-- FoundByKey.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/keys/FoundByKey.h"

#include "checks/resources/facts/calls/FoundElements.h"
#include "checks/source/blocks/BlockWalk.h"

using namespace clang;

namespace tensorleak {
namespace {

class KeyFinder {
public:
  KeyFinder(const Stmt &Store, const FunctionDecl &In, const CFG &Cfg)
      : Store(Store), In(In), Cfg(Cfg), Put(entryFilledBy(Store)),
        Search(Put, *In.getBody(), In.getASTContext()) {}
  const Expr *run() const;
  bool runsOnlyElse(const Stmt &Other) const;

private:
  bool isPartOfEntry(const Expr &E) const;
  bool beginsAnew(const CFGBlock &Block) const;
  Blocks behind(const CFGBlock *Found) const;
  const CFGBlock *whereFound(const CFGBlock &Asking) const;

  const Stmt &Store;
  const FunctionDecl &In;
  const CFG &Cfg;
  const ElementNamed Put;
  const KeySearch Search;
};

/// `it->second.size`, `all[key].size`.
bool KeyFinder::isPartOfEntry(const Expr &E) const {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E);
  if (Op && followsPointer(*Op))
    return Search.iterator(Op->getArg(0));
  return Search.names(entryNamed(E));
}

/// It searches again, or may take the entry out.
bool KeyFinder::beginsAnew(const CFGBlock &Block) const {
  for (const CFGElement &Element : Block) {
    const auto Here = Element.getAs<CFGStmt>();
    const Stmt *S = Here ? Here->getStmt() : nullptr;
    const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(S);
    const llvm::StringRef Name = Call ? methodOfLibrary(*Call) : "";
    if (Call && Search.isOfContainer(Call->getImplicitObjectArgument()) &&
        (Name == "erase" || Name == "clear" || Name == "extract" || Name == "swap" ||
         Search.isSearch(Call)))
      return true;
  }
  return false;
}

/// What may run from \p Found on, until the entry is searched again or taken out.
Blocks KeyFinder::behind(const CFGBlock *Found) const {
  return blocksFrom(Found, Toward::Exit,
                    [&](const CFGBlock &Next, const BlockEdge &) { return !beginsAnew(Next); });
}

/// Where \p Asking goes on if the entry is there and the store follows; null for another question.
const CFGBlock *KeyFinder::whereFound(const CFGBlock &Asking) const {
  const Expr *Asked = Asking.succ_size() == 2 ? Asking.getLastCondition() : nullptr;
  const auto Answer = Asked ? Search.answerIfFound(Asked) : std::nullopt;
  if (!Answer)
    return nullptr;
  const CFGBlock *Found = *(Asking.succ_begin() + (*Answer ? 0 : 1));
  return Found && behind(Found).count(blockOf(Cfg, &Store)) ? Found : nullptr;
}

const Expr *KeyFinder::run() const {
  auto NamesEntry = [this](const Expr &E) {
    return mentions(&E, [this](const Expr &Part) { return isPartOfEntry(Part); });
  };
  if (!Put.Base || isStateAsked(In, NamesEntry))
    return nullptr;
  for (const CFGBlock *Block : Cfg)
    if (whereFound(*Block))
      return cast<Expr>(Block->getLastCondition());
  return nullptr;
}

bool KeyFinder::runsOnlyElse(const Stmt &Other) const {
  const CFGBlock *Block = blockOf(Cfg, &Other);
  const Blocks After =
      blocksFrom(Block, Toward::Exit, [](const CFGBlock &, const BlockEdge &) { return true; });
  bool IsAsked = false;
  for (const CFGBlock *Asking : Cfg)
    if (const CFGBlock *Found = Put.Base ? whereFound(*Asking) : nullptr) {
      IsAsked = true;
      if (!Block || After.count(Asking) || behind(Found).count(Block)) // before, or after that
        return false;
    }
  return IsAsked;
}

} // namespace

const Expr *foundByKey(const Stmt &Store, const FunctionDecl &In, const CFG &Cfg) {
  return KeyFinder(Store, In, Cfg).run();
}

bool runsOnlyUnlessFound(const Stmt &Other, const Stmt &Store, const FunctionDecl &In,
                         const CFG &Cfg) {
  return KeyFinder(Store, In, Cfg).runsOnlyElse(Other);
}

} // namespace tensorleak
