//===-- FoundByKey.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/keys/FoundByKey.h"

#include "checks/resources/facts/calls/FoundElements.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

/// A method of a container of the library that \p S calls; its name, or nothing.
llvm::StringRef methodOf(const CXXMemberCallExpr &Call) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  return Method && Method->getIdentifier() && Method->getParent()->isInStdNamespace()
             ? Method->getName()
             : "";
}

/// `all[key]`, `all.at(key)`.
ElementNamed entryNamed(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  bool IsLookup = Call && Call->getNumArgs() == 1 && methodOf(*Call) == "at";
  return IsLookup ? ElementNamed{Call->getImplicitObjectArgument(), Call->getArg(0)}
                  : elementNamed(E);
}

/// The entry that \p E, which something is put into, is or is a part of.
ElementNamed entryAround(const Expr *E) {
  while ((E = bare(E))) {
    if (const ElementNamed Entry = entryNamed(*E); Entry.Base)
      return Entry;
    const auto *Member = dyn_cast<MemberExpr>(E);
    const auto *Op = dyn_cast<UnaryOperator>(E);
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    E = Member ? Member->getBase()
        : Op   ? Op->getSubExpr()
        : Ref  ? boundTo(*Ref->getDecl())
               : nullptr;
  }
  return {};
}

ElementNamed entryFilledBy(const Stmt &Store) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&Store);
  if (Call && Call->getNumArgs() == 2 && methodOf(*Call) == "insert_or_assign")
    return {Call->getImplicitObjectArgument(), Call->getArg(0)};
  for (const Expr *Target : targetsOf(Store))
    if (const ElementNamed Entry = entryAround(Target); Entry.Base)
      return Entry;
  return {};
}

class KeyFinder {
public:
  KeyFinder(const Stmt &Store, const FunctionDecl &In, const CFG &Cfg)
      : Store(Store), In(In), Cfg(Cfg), Put(entryFilledBy(Store)) {}
  const Expr *run() const;
  bool runsOnlyElse(const Stmt &Other) const;

private:
  bool isSame(const Expr *A, const Expr *B) const;
  bool isOfPut(const Expr *Base) const { return isSame(Base, Put.Base); }
  bool isSearch(const Expr *E) const;
  const VarDecl *searched(const Expr *E) const;
  std::optional<bool> answerIfFound(const Expr *E) const;
  bool isPartOfEntry(const Expr &E) const;
  bool beginsAnew(const CFGBlock &Block) const;
  Blocks behind(const CFGBlock *Found) const;
  const CFGBlock *whereFound(const CFGBlock &Asking) const;

  const Stmt &Store;
  const FunctionDecl &In;
  const CFG &Cfg;
  const ElementNamed Put;
};

bool KeyFinder::isSame(const Expr *A, const Expr *B) const {
  if (!A || !B)
    return false;
  llvm::FoldingSetNodeID OfA, OfB;
  strip(A)->Profile(OfA, In.getASTContext(), /*Canonical=*/true);
  strip(B)->Profile(OfB, In.getASTContext(), /*Canonical=*/true);
  return OfA == OfB;
}

/// `all.find(key)`.
bool KeyFinder::isSearch(const Expr *E) const {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(E ? strip(bare(E)) : nullptr);
  return Call && Call->getNumArgs() == 1 && methodOf(*Call) == "find" &&
         isOfPut(Call->getImplicitObjectArgument()) && isSame(Call->getArg(0), Put.Key);
}

/// The iterator that such a search gave.
const VarDecl *KeyFinder::searched(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(strip(bare(E)));
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->isLocalVarDecl() && isSearch(V->getInit()) ? V : nullptr;
}

/// What \p E says if the entry is there: `it != all.end()`, `all.count(key)`; nothing for another
/// question.
std::optional<bool> KeyFinder::answerIfFound(const Expr *E) const {
  E = behindName(E, *In.getBody());
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    const auto Answer = answerIfFound(Not->getSubExpr());
    return Answer ? std::optional(!*Answer) : std::nullopt;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isLogicalOp())
    return answerIfFound(Op->getRHS()); // the last that was asked
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const llvm::StringRef Name = methodOf(*Call);
    bool Asks = (Name == "count" || Name == "contains") && Call->getNumArgs() == 1 &&
                isOfPut(Call->getImplicitObjectArgument()) && isSame(Call->getArg(0), Put.Key);
    return Asks ? std::optional(true) : std::nullopt;
  }
  const Comparison Sides = equalityOf(*E);
  if (!Sides.Left)
    return std::nullopt;
  for (const auto &[One, Other] : {std::pair(Sides.Left, Sides.Right), {Sides.Right, Sides.Left}}) {
    const auto *End = dyn_cast<CXXMemberCallExpr>(strip(bare(Other)));
    if (End && methodOf(*End).ends_with("end") && (searched(One) || isSearch(One)))
      return !Sides.IsEqual;
  }
  return std::nullopt;
}

/// `it->second.size`, `all[key].size`.
bool KeyFinder::isPartOfEntry(const Expr &E) const {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E);
  if (Op && followsPointer(*Op))
    return searched(Op->getArg(0));
  const ElementNamed Entry = entryNamed(E);
  return Entry.Base && isOfPut(Entry.Base) && isSame(Entry.Key, Put.Key);
}

/// It searches again, or may take the entry out.
bool KeyFinder::beginsAnew(const CFGBlock &Block) const {
  for (const CFGElement &Element : Block) {
    const auto Here = Element.getAs<CFGStmt>();
    const Stmt *S = Here ? Here->getStmt() : nullptr;
    const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(S);
    const llvm::StringRef Name = Call ? methodOf(*Call) : "";
    if (Call && isOfPut(Call->getImplicitObjectArgument()) &&
        (Name == "erase" || Name == "clear" || Name == "extract" || Name == "swap" ||
         isSearch(Call)))
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
  const auto Answer = Asked ? answerIfFound(Asked) : std::nullopt;
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
