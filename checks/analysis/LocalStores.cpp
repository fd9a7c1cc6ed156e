//===-- LocalStores.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/LocalStores.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Variables that are read or written other than in the order of the control flow: in a
/// lambda, or through a pointer.
class Unordered : public RecursiveASTVisitor<Unordered> {
public:
  bool VisitLambdaExpr(LambdaExpr *L) {
    for (const LambdaCapture &C : L->captures())
      if (C.capturesVariable())
        Found.insert(C.getCapturedVar());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->getOpcode() == UO_AddrOf)
      addAllIn(U->getSubExpr());
    return true;
  }
  llvm::DenseSet<const ValueDecl *> Found;

private:
  void addAllIn(const Stmt *S) {
    if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S))
      Found.insert(Ref->getDecl());
    if (S)
      for (const Stmt *Child : S->children())
        addAllIn(Child);
  }
};

} // namespace

bool isWrite(EventKind Kind) {
  return Kind == EventKind::Store || Kind == EventKind::StoreWeak || Kind == EventKind::Grow ||
         Kind == EventKind::Mutate;
}

LocalStores::LocalStores(const FunctionFacts &Facts) : Facts(Facts) {
  findFollowed();
  if (!Followed.empty())
    solve();
}

void LocalStores::findFollowed() {
  Unordered Others;
  Others.TraverseStmt(Facts.Function->getBody());
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    const auto *V = dyn_cast_or_null<VarDecl>(Facts.Places[P].Decl);
    if (V && Facts.Places[P].Root == Place::Local && !Facts.Places[P].isField() &&
        V->getType()->isRecordType() && !Others.Found.count(V))
      Followed.insert(P);
  }
  for (PlaceId P = 0; P < Facts.Places.size(); ++P)
    if (Facts.Places[P].isField())
      Followed.erase(Facts.Places[P].Parent);
  for (const Event &E : Facts.Events) {
    bool Leaves = E.Kind == EventKind::Return || E.Kind == EventKind::Escape;
    if (E.Kind == EventKind::Unknown || (Leaves && E.Val == NoId))
      Followed.erase(E.Place);
  }
}

bool LocalStores::join(State &Into, const State &From) {
  bool Changed = false;
  for (const auto &[P, Theirs] : From) {
    Stores &Mine = Into[P];
    for (unsigned Store : Theirs) {
      auto *At = llvm::lower_bound(Mine, Store);
      if (At != Mine.end() && *At == Store)
        continue;
      Mine.insert(At, Store);
      Changed = true;
    }
  }
  return Changed;
}

void LocalStores::transfer(unsigned Index, State &Now) const {
  const Event &E = Facts.Events[Index];
  if (!isWrite(E.Kind) || !follows(E.Place))
    return;
  Stores &Mine = Now[E.Place];
  if (E.Kind == EventKind::Store)
    Mine.clear();
  auto *At = llvm::lower_bound(Mine, Index);
  if (At == Mine.end() || *At != Index)
    Mine.insert(At, Index);
}

/// Every variable that is read to make \p V is read with what it holds now.
void LocalStores::record(ValueId V, const State &Now, unsigned Depth) {
  constexpr unsigned MaxDepth = 32; // expressions in an expression
  if (V == NoId || Depth > MaxDepth)
    return;
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load) {
    if (auto It = Now.find(Val.Loaded); It != Now.end())
      for (unsigned Store : It->second)
        Reads.push_back({Store, V});
    return;
  }
  for (ValueId In : Val.Inputs)
    record(In, Now, Depth + 1);
}

void LocalStores::runBlock(unsigned Block, State &Now, bool Record) {
  const BlockRange Range = Facts.Blocks[Block];
  for (unsigned I = Range.Begin; I < Range.End; ++I) {
    if (Record) {
      record(Facts.Events[I].Val, Now, 0);
      for (ValueId Arg : Facts.Events[I].Args)
        record(Arg, Now, 0);
    }
    transfer(I, Now);
  }
}

void LocalStores::solve() {
  std::vector<State> In(Facts.Blocks.size());
  PostOrderCFGView Order(Facts.Cfg.get());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const CFGBlock *Block : Order) {
      State Now = In[Block->getBlockID()];
      runBlock(Block->getBlockID(), Now, /*Record=*/false);
      for (const CFGBlock *Next : Block->succs())
        if (Next)
          Changed |= join(In[Next->getBlockID()], Now);
    }
  }
  for (const CFGBlock *Block : Order) {
    State Now = In[Block->getBlockID()];
    runBlock(Block->getBlockID(), Now, /*Record=*/true);
  }
}

} // namespace tensorleak
