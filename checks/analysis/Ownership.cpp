//===-- Ownership.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/Ownership.h"

#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

using namespace clang;

namespace tensorleak {
namespace {

/// Pointer -> the allocations it may own.
using Owned = std::map<PlaceId, std::set<ValueId>>;

class Solver {
public:
  explicit Solver(const FunctionFacts &Facts) : Facts(Facts) {}
  std::vector<LostMemory> run();

private:
  bool isAllocation(ValueId V) const;
  bool isLocalPointer(PlaceId P) const;
  void transfer(const Event &E, Owned &Now);
  void store(const Event &E, Owned &Now);
  void release(ValueId V, Owned &Now) const;
  void lose(ValueId Allocation, PlaceId Owner, bool Overwritten);
  Owned runBlock(const CFGBlock &Block, Owned Now);

  const FunctionFacts &Facts;
  std::vector<LostMemory> Lost;
  llvm::DenseSet<ValueId> Reported;
};

bool Solver::isAllocation(ValueId V) const {
  if (V == NoId)
    return false;
  const Value &Val = Facts.Values[V];
  return Val.From == Source::New ||
         (Val.From == Source::Api &&
          (Val.Api.What == Does::Release || Val.Api.What == Does::HostAlloc));
}

bool Solver::isLocalPointer(PlaceId P) const {
  const Place &Holder = Facts.Places[P];
  return Holder.Root == Place::Local && !Holder.isField() && Holder.Decl &&
         Holder.Decl->getType()->isPointerType();
}

void Solver::lose(ValueId Allocation, PlaceId Owner, bool Overwritten) {
  if (Reported.insert(Allocation).second)
    Lost.push_back({Allocation, Owner, Overwritten});
}

/// The value goes elsewhere: what its pointers own is no longer ours.
void Solver::release(ValueId V, Owned &Now) const {
  if (V == NoId)
    return;
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load)
    Now.erase(Val.Loaded);
  if (Val.From == Source::Api)
    return; // computed from what the pointer points to
  for (ValueId In : Val.Inputs)
    release(In, Now);
}

void Solver::store(const Event &E, Owned &Now) {
  if (!isLocalPointer(E.Place)) {
    if (Facts.Places[E.Place].Decl && !Facts.Places[E.Place].Decl->getType()->isPointerType())
      return; // `*p = ...` or a tensor made from *p: the memory stays where it is
    return release(E.Val, Now);
  }
  if (auto It = Now.find(E.Place); It != Now.end())
    for (ValueId Old : It->second)
      lose(Old, E.Place, /*Overwritten=*/true);
  Now.erase(E.Place);
  if (isAllocation(E.Val))
    Now[E.Place] = {E.Val};
  else
    release(E.Val, Now); // another name for it: give up
}

void Solver::transfer(const Event &E, Owned &Now) {
  switch (E.Kind) {
  case EventKind::Store:
    return store(E, Now);
  case EventKind::StoreWeak:
    return release(E.Val, Now);
  case EventKind::Free:
  case EventKind::Escape:
  case EventKind::Unknown:
  case EventKind::Return:
  case EventKind::Grow:
    if (E.Place != NoId)
      Now.erase(E.Place);
    return release(E.Val, Now);
  default:
    return;
  }
}

Owned Solver::runBlock(const CFGBlock &Block, Owned Now) {
  BlockRange Range = Facts.Blocks[Block.getBlockID()];
  for (unsigned I = Range.Begin; I < Range.End; ++I)
    transfer(Facts.Events[I], Now);
  return Now;
}

std::vector<LostMemory> Solver::run() {
  std::vector<Owned> In(Facts.Blocks.size());
  PostOrderCFGView Order(Facts.Cfg.get());
  unsigned Exit = Facts.Cfg->getExit().getBlockID();
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round < 8; ++Round) {
    Changed = false;
    for (const CFGBlock *Block : Order) {
      Owned After = runBlock(*Block, In[Block->getBlockID()]);
      for (const CFGBlock *Next : Block->succs()) {
        // A path that ends the program loses nothing that matters.
        if (!Next || (Block->hasNoReturnElement() && Next->getBlockID() == Exit))
          continue;
        for (const auto &[P, Values] : After)
          for (ValueId V : Values)
            Changed |= In[Next->getBlockID()][P].insert(V).second;
      }
    }
  }
  for (const auto &[P, Values] : In[Exit])
    for (ValueId V : Values)
      lose(V, P, /*Overwritten=*/false);
  return std::move(Lost);
}

} // namespace

std::vector<LostMemory> findLostMemory(const FunctionFacts &Facts) { return Solver(Facts).run(); }

} // namespace tensorleak
