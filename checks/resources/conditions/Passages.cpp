//===-- Passages.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Passages.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace tensorleak {

Passages::Passages(const ResourceFacts &Facts, llvm::ArrayRef<const CFGBlock *> Order)
    : Position(Facts.Cfg->getNumBlockIDs(), Order.size()), AllPass(Facts.Cfg->getNumBlockIDs()) {
  unsigned Next = 0;
  for (const CFGBlock *Block : Order)
    Position[Block->getBlockID()] = Next++;
  findPassages(Order);
  for (const CFGBlock *Block : Order)
    findNames(Facts, *Block);
}

/// Of each `return`, `throw` and `exit()` by itself is asked what it leaves behind. All ways that
/// just come to the end meet there.
static bool endsByItself(const CFGBlock &Block) {
  return Block.hasNoReturnElement() || llvm::any_of(Block, [](const CFGElement &Element) {
           auto S = Element.getAs<CFGStmt>();
           return S && isa<ReturnStmt, CXXThrowExpr>(S->getStmt());
         });
}

/// An edge forward bypasses what lies between its ends; one back makes a loop of that and of
/// its ends.
void Passages::findPassages(llvm::ArrayRef<const CFGBlock *> Order) {
  std::vector<int> Begun(Order.size() + 1);
  for (const CFGBlock *From : Order)
    for (const CFGBlock *To : From->succs()) {
      if (!To || (To == &To->getParent()->getExit() && endsByItself(*From)))
        continue;
      const unsigned A = Position[From->getBlockID()], B = Position[To->getBlockID()];
      const unsigned First = A < B ? A + 1 : B, End = A < B ? B : A + 1;
      ++Begun[First];
      --Begun[End];
    }
  int Around = 0;
  for (const CFGBlock *Block : Order) {
    Around += Begun[Position[Block->getBlockID()]];
    if (Around == 0)
      AllPass.set(Block->getBlockID());
  }
}

void Passages::name(const ValueDecl *V, unsigned At) {
  if (!V)
    return;
  unsigned &Last = LastNamed[V];
  Last = std::max(Last, At);
}

/// An expression is named again where what it is part of is used, as after a `?:`. \p Seen: parts
/// that \p At has named already.
void Passages::nameAll(const Stmt &S, unsigned At, llvm::SmallPtrSetImpl<const Stmt *> &Seen) {
  if (!Seen.insert(&S).second)
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
    name(Ref->getDecl(), At);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
    for (const LambdaCapture &Each : Lambda->captures()) // whose body runs elsewhere
      if (Each.capturesVariable())
        name(Each.getCapturedVar(), Position.size());
  for (const Stmt *Part : S.children())
    if (Part)
      nameAll(*Part, At, Seen);
}

/// By the code, and by what is known to happen: a destructor names nothing.
void Passages::findNames(const ResourceFacts &Facts, const CFGBlock &Block) {
  const unsigned At = Position[Block.getBlockID()];
  llvm::SmallPtrSet<const Stmt *, 32> Seen;
  for (const CFGElement &Element : Block)
    if (auto S = Element.getAs<CFGStmt>())
      nameAll(*S->getStmt(), At, Seen);
  auto NameAll = [&](const Operand &Value) {
    for (const Atom &A : Value)
      if (A.What != Atom::Fresh)
        name(Facts.Paths.variable(A.Id), At);
  };
  for (const ResourceEvent &E : Facts.Blocks[Block.getBlockID()]) {
    for (PathId P : {E.Path, E.From})
      if (P != NoPath)
        name(Facts.Paths.variable(P), At);
    NameAll(E.Value);
  }
  if (auto Branch = Facts.Branches.find(Block.getBlockID()); Branch != Facts.Branches.end()) {
    NameAll(Branch->second.NullOnTrue);
    NameAll(Branch->second.NullOnFalse);
  }
}

bool Passages::isNamedFrom(const CFGBlock &Block, const ValueDecl &V) const {
  auto It = LastNamed.find(&V);
  return It != LastNamed.end() && It->second >= Position[Block.getBlockID()];
}

} // namespace tensorleak
