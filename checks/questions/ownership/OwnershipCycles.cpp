//===-- OwnershipCycles.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ownership/OwnershipCycles.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/questions/ownership/OwnershipLinks.h"
#include "checks/questions/ownership/OwnershipReads.h"
#include "checks/source/Functions.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"

using namespace clang;

namespace tensorleak {
namespace {

using Steps = llvm::ArrayRef<OwnershipStep>;

/// The cycles that the steps of one function close.
class CycleSearch {
public:
  CycleSearch(const FunctionUnit &F, Steps All) : All(All), Reaches(F.Facts->ownCfg()) {}

  /// The indices of the links of a cycle that the link \p Last closes; empty for none.
  std::vector<unsigned> cycleOf(unsigned Last);
  bool isUntiedLater(const std::vector<unsigned> &Cycle) const;
  bool keepsAny(const std::vector<unsigned> &Cycle, KeepsMemory Keeps) const;

private:
  bool follow(ObjectName From, ObjectName To, unsigned Last, std::vector<unsigned> &Way);
  bool holdsAt(unsigned Link, unsigned Last);

  const Steps All;
  CFGReverseBlockReachabilityAnalysis Reaches;
};

/// The link is still there, between the same objects, when the step \p Last is made.
bool CycleSearch::holdsAt(unsigned Link, unsigned Last) {
  const OwnershipStep &L = All[Link];
  bool Runs = L.Block == All[Last].Block || Reaches.isReachable(L.Block, All[Last].Block);
  return Runs && llvm::none_of(All.slice(Link + 1, Last - Link - 1), [&](const auto &Step) {
           if (Step.What == OwnershipStep::Renames)
             return Step.Owner == L.Owner || Step.Owner == L.Owned;
           return Step.What == OwnershipStep::Unlinks && Step.Member == L.Member &&
                  (Step.Owner == L.Owner || !Step.Owner);
         });
}

bool CycleSearch::follow(ObjectName From, ObjectName To, unsigned Last,
                         std::vector<unsigned> &Way) {
  if (From == To)
    return true;
  if (isOver(Budget::NestedModules, Way.size() + 1))
    return false;
  for (unsigned I = 0; I < Last; ++I) {
    const OwnershipStep &Link = All[I];
    if (Link.What != OwnershipStep::Links || Link.Owner != From || llvm::is_contained(Way, I) ||
        !holdsAt(I, Last))
      continue;
    Way.push_back(I);
    if (follow(Link.Owned, To, Last, Way))
      return true;
    Way.pop_back();
  }
  return false;
}

std::vector<unsigned> CycleSearch::cycleOf(unsigned Last) {
  std::vector<unsigned> Way;
  if (All[Last].What != OwnershipStep::Links || All[Last].IsOld ||
      !follow(All[Last].Owned, All[Last].Owner, Last, Way))
    return {};
  Way.push_back(Last);
  return Way;
}

bool CycleSearch::isUntiedLater(const std::vector<unsigned> &Cycle) const {
  return llvm::any_of(All.drop_front(Cycle.back() + 1), [&](const OwnershipStep &Step) {
    return Step.What == OwnershipStep::Unlinks && llvm::any_of(Cycle, [&](unsigned I) {
             return All[I].Member == Step.Member && (!Step.Owner || Step.Owner == All[I].Owner);
           });
  });
}

bool CycleSearch::keepsAny(const std::vector<unsigned> &Cycle, KeepsMemory Keeps) const {
  return llvm::any_of(
      Cycle, [&](unsigned I) { return Keeps(All[I].OwnerType) || Keeps(All[I].OwnedType); });
}

/// All functions of the file.
class CycleFinder {
public:
  CycleFinder(Unit &U, KeepsMemory Keeps) : U(U), Keeps(Keeps) {}
  std::vector<OwnershipCycle> run();

private:
  void noteBreakers(const FunctionUnit &F, Steps All);
  void search(const FunctionUnit &F);
  void report(Steps All, const std::vector<unsigned> &Cycle);

  Unit &U;
  KeepsMemory Keeps;
  OwnershipMap Known;
  /// Members that some function unties in objects which it did not make itself.
  llvm::DenseSet<const ValueDecl *> Untied;
  llvm::DenseSet<SourceLocation> Said;
  std::vector<OwnershipCycle> Out;
};

/// Where nobody calls it in a program that is all here, it unties nothing.
void CycleFinder::noteBreakers(const FunctionUnit &F, Steps All) {
  const FunctionDecl &Function = *F.Facts->Function;
  bool HasMain = llvm::any_of(
      U.functions(), [](const FunctionUnit &Each) { return Each.Facts->Function->isMain(); });
  if (HasMain && !F.CallSites && !isa<CXXDestructorDecl>(Function) && !Function.isMain())
    return;
  for (unsigned I = 0; I < All.size(); ++I)
    if (All[I].IsCut && !isOfNewObject(All, I, Function))
      Untied.insert(All[I].Member);
}

/// A node knows its children by a container and its parent by a pointer: that one need not own.
static const ValueDecl *pointerBack(Steps All, const std::vector<unsigned> &Cycle) {
  const ValueDecl *Last = All[Cycle.back()].Member;
  if (!Last || isOwningPointer(Last->getType()) || holdsFunctions(Last->getType()))
    return Last;
  auto Back = llvm::find_if(Cycle, [&](unsigned I) {
    return All[I].Member && isOwningPointer(All[I].Member->getType());
  });
  return Back == Cycle.end() ? Last : All[*Back].Member;
}

void CycleFinder::report(Steps All, const std::vector<unsigned> &Cycle) {
  const OwnershipStep &Last = All[Cycle.back()];
  if (!Said.insert(Last.At).second)
    return;
  const CXXRecordDecl *Class = recordOf(Last.OwnerType);
  bool AreModules = Class && U.model().isModuleClass(*Class);
  bool ByLambda = Last.Member && holdsFunctions(Last.Member->getType());
  Out.push_back({Last.At, Last.Member, pointerBack(All, Cycle), AreModules, ByLambda,
                 /*IsSelf=*/Cycle.size() == 1});
}

void CycleFinder::search(const FunctionUnit &F) {
  Steps All = Known[F.Facts->Function->getCanonicalDecl()];
  CycleSearch Of(F, All);
  for (unsigned I = 0; I < All.size(); ++I) {
    std::vector<unsigned> Cycle = Of.cycleOf(I);
    bool IsUntied = llvm::any_of(Cycle, [&](unsigned L) { return Untied.count(All[L].Member); });
    if (!Cycle.empty() && !IsUntied && !Of.isUntiedLater(Cycle) && Of.keepsAny(Cycle, Keeps))
      report(All, Cycle);
  }
}

std::vector<OwnershipCycle> CycleFinder::run() {
  for (const FunctionUnit &F : U.functions()) {
    const FunctionDecl &Function = *F.Facts->Function;
    for (unsigned Time = calls(Function, Function) ? 2 : 1; Time > 0; --Time)
      Known[Function.getCanonicalDecl()] = ownershipSteps(U, F, Known);
  }
  for (const FunctionUnit &F : U.functions())
    noteBreakers(F, Known[F.Facts->Function->getCanonicalDecl()]);
  for (const FunctionUnit &F : U.functions())
    if (!F.HasErrors)
      search(F);
  return std::move(Out);
}

} // namespace

std::vector<OwnershipCycle> findOwnershipCycles(Unit &U, KeepsMemory Keeps) {
  return CycleFinder(U, Keeps).run();
}

std::string OwnershipCycle::message(llvm::StringRef What) const {
  const std::string Named = Member ? "'" + Member->getNameAsString() + "'" : "";
  std::string Who = IsSelf       ? AreModules ? "the module owns itself" : "the object owns itself"
                    : AreModules ? "the modules own each other"
                                 : "the objects own each other";
  std::string Through = Member ? " through " + Named : " through this registration";
  std::string Advice = ByLambda ? "capture a 'std::weak_ptr'"
                       : Back   ? "make '" + Back->getNameAsString() + "' a 'std::weak_ptr'"
                                : "make one of them a 'std::weak_ptr'";
  return Who + Through + ": nothing frees " + (IsSelf ? "it or its " : "them or their ") +
         (AreModules ? "parameters" : What.str()) + "; " + Advice;
}

/// The class of an object, or of what a pointer or container keeps.
bool keepsTensors(ApiModel &Model, QualType T) {
  if (T.isNull() || mayOwnTensors(Model.classify(T)))
    return !T.isNull();
  const CXXRecordDecl *R = recordOf(T);
  if (R && keepsOthersAlive(T))
    return llvm::any_of(typeArguments(*R), [&](QualType Arg) {
      return Arg->isRecordType() && keepsTensors(Model, Arg);
    });
  R = R ? R->getDefinition() : nullptr;
  return R && !R->isInStdNamespace() && llvm::any_of(R->fields(), [&](const FieldDecl *F) {
           return mayOwnTensors(Model.classify(F->getType()));
         });
}

} // namespace tensorleak
