//===-- PathConditions.h - Under which condition each block runs ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. For each block of a function that takes a resource: what must hold for
// it to be reached, as a conjunction. In a loop it speaks of the round at hand.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PATHCONDITIONS_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PATHCONDITIONS_H

#include "checks/resources/conditions/Passages.h"
#include "checks/resources/conditions/Values.h"
#include "llvm/ADT/BitVector.h"

namespace tensorleak {

/// Of a flag that each round of a loop computes anew, `again = n > limit`: that the next round
/// begins without it, and that the round at hand leaves it so. They are the same.
struct RoundLink {
  Condition Begins, Ends;
};

class PathConditions {
public:
  explicit PathConditions(const ResourceFacts &Facts);

  Logic &logic() { return L; }
  Condition taken(SiteId Id) { return Values.taken(Id); }
  Condition answered(const CallAnswer &A) { return Values.answered(A); }
  const std::vector<const clang::CFGBlock *> &order() const { return Rounds.order(); }
  const Passages &passages() const { return Passes; }
  /// What holds on all ways to the passage \p Block, and no code behind it can ask for: at() has
  /// it no more.
  const Conditions &forgottenAt(const clang::CFGBlock &Block) const {
    return Forgotten[Block.getBlockID()];
  }

  /// Whether control can go to that successor of \p From at all.
  bool isTaken(const clang::CFGBlock &From, unsigned Successor) const;
  const Conditions &at(const clang::CFGBlock &Block) const { return In[Block.getBlockID()]; }
  /// Of the way from \p From to that successor.
  Conditions along(const clang::CFGBlock &From, unsigned Successor) const;
  using Edges = llvm::ArrayRef<std::pair<const clang::CFGBlock *, unsigned>>;
  /// Of all that go along one of \p Ways.
  Conditions where(Edges Ways);
  /// The loop of which \p To begins another round.
  std::optional<LoopId> comesBack(const clang::CFGBlock &From, const clang::CFGBlock &To) const;
  /// The loop whose rounds begin at \p Block.
  std::optional<LoopId> headedBy(const clang::CFGBlock &Block) const {
    return Rounds.headedBy(Block);
  }
  bool isWithin(const clang::CFGBlock &Block, LoopId Loop) const {
    return (Rounds.around(Block.getBlockID()) & only(Loop)) != 0;
  }
  llvm::ArrayRef<RoundLink> linksOf(LoopId Loop) const {
    auto It = Links.find(Loop);
    return It == Links.end() ? llvm::ArrayRef<RoundLink>() : llvm::ArrayRef(It->second);
  }
  /// What holds in all rounds of \p Loops but the first.
  void addLaterRounds(LoopSet Loops, Conditions &To) const;
  bool isTakenInLoop(SiteId Id) const { return Values.loopsAround(Id) != 0; }

  // Of members and globals that a resource is put into.
  /// Some condition of the function asks about \p D.
  bool asksAbout(const clang::ValueDecl &D) const;
  /// \p Block runs only where \p D passed a test of its own, as for null.
  bool dependsOn(unsigned Block, const clang::ValueDecl &D);
  /// \p Block runs where \p D was null when the function began, and where it was not, and the way
  /// there asks which.
  bool asksButRuns(unsigned Block, const clang::ValueDecl &D);
  /// \p Block runs only where \p D was not null when the function began, by a test of it.
  bool runsWithOld(unsigned Block, const clang::ValueDecl &D);
  /// \p Block runs only where something that outlives the function passed a test: `if (!ready)`.
  bool dependsOnState(unsigned Block) const;
  /// \p Block runs where something is more than a number that outlives the function, and
  /// that is set then.
  bool growsWithInput(unsigned Block);

private:
  struct Edge {
    bool IsTaken = true;
    Condition When = nullptr; ///< null: always
  };
  struct Way {
    const clang::CFGBlock *From;
    Conditions Path;
    Condition Own = nullptr; ///< what it does not share with the others
  };
  /// What a place is before the first round, and as what each round begins with it.
  struct Round {
    ValueId Before, Begin;
  };
  using Changing = std::map<PlaceId, Round>;

  bool isNever(const clang::CFGBlock &From, unsigned Successor) const;
  void findWritten();
  void visit(const clang::CFGBlock &Block);
  std::vector<Way> waysTo(const clang::CFGBlock &Block) const;
  Conditions meet(std::vector<Way> &Ways);
  PlaceValues merge(const std::vector<Way> &Ways);
  ValueId merge(PlaceId P, const std::vector<Way> &Ways);
  bool areApart(const std::vector<Way> &Ways);
  void beginRounds(const clang::CFGBlock &Block, LoopId Loop, PlaceValues &Now);
  void forget(const clang::CFGBlock &Block);
  void forgetLoops(unsigned Block, std::set<TermId> Asked);
  void addTerms(ValueId V, std::set<TermId> &To) const;
  void addTerms(Condition C, std::set<TermId> &To) const;
  bool saysNothing(Condition C, const std::set<TermId> &Asked) const;
  void visitBranch(const clang::CFGBlock &Block);
  void visitSwitch(const clang::CFGBlock &Block, const clang::SwitchStmt &S);
  Condition failureOnLeaving(const clang::CFGBlock &Block, bool WhenTrue, bool IsUnderstood);
  void setEdge(const clang::CFGBlock &From, unsigned Successor, Condition When);
  void linkRounds(const clang::CFGBlock &Head, LoopId Loop, const Changing &Begin);
  std::optional<TermId> onlyTerm(llvm::ArrayRef<std::pair<Condition, ValueId>> Ends) const;
  using RoundEnds = std::vector<std::pair<Condition, ValueId>>;
  void linkPlace(LoopId Loop, const Round &Of, const RoundEnds &Ends);
  void addLaterRound(LoopId Loop, const Round &Of, const RoundEnds &Ends);
  Condition isAnyEnd(ValueId Begin, const RoundEnds &Ends);
  void linkFlag(LoopId Loop, ValueId Begin, const RoundEnds &Ends);
  Condition endsBelow(const RoundEnds &Ends, int64_t Bound);
  bool comparesState(const Linear &Sum, Condition Part) const;
  bool isFlagEitherWay(unsigned Block, const Linear &Sum);
  bool isLimit(unsigned Block, Condition Part);
  void addAssignedBy(const clang::CallExpr &Call, std::set<PlaceId> &Out) const;
  bool isSetUnder(Condition Part, PlaceId P) const;
  Condition nullAtBegin(Condition Part, const clang::ValueDecl &D);
  Answer mayRunWith(unsigned Block, Condition Part, const clang::ValueDecl &D, bool Sign);
  bool tests(unsigned Block, Condition Part, const clang::ValueDecl &D);
  Answer mayRunWhere(unsigned Block, Condition Began);

  const ResourceFacts &Facts;
  Logic L;
  Loops Rounds;
  Passages Passes;
  ValueTable Values;
  std::vector<Conditions> In, Forgotten;
  llvm::BitVector Reached;
  std::vector<PlaceValues> End;
  std::vector<llvm::SmallVector<Edge, 2>> Branches;
  std::vector<std::set<PlaceId>> Written, Assigned; ///< in each block
  std::map<const clang::CFGBlock *, Changing> Heads;
  std::map<LoopId, std::vector<RoundLink>> Links;
  std::map<LoopId, Conditions> LaterRounds;
  std::set<TermId> Counted;           ///< that loops count with their variables
  llvm::DenseSet<Condition> LoopEnds; ///< under which some loop ends where a round would begin
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PATHCONDITIONS_H
