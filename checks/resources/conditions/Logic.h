//===-- Logic.h - What can be true at the same time ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Conditions of one function as formulas of Clang's FlowSensitive
// library. Their atoms are of one form, "a sum of integers is less than a constant", so
// that `n > 0`, `0 < n` and `!(n <= 0)` are the same formula, and that `n > 4` implies
// `n > 0`. The solver decides what can hold together, within a budget.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_LOGIC_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_LOGIC_H

#include "checks/Budgets.h"
#include "clang/AST/Decl.h"
#include "clang/Analysis/FlowSensitive/Arena.h"
#include "clang/Analysis/FlowSensitive/WatchedLiteralsSolver.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace tensorleak {

/// Interned: the same formula is the same pointer.
using Condition = const clang::dataflow::Formula *;
using Conditions = llvm::SmallVector<Condition, 4>;

using LoopId = unsigned;
using LoopSet = uint64_t;
constexpr LoopSet only(LoopId L) { return LoopSet(1) << L; }

/// An integer of which nothing is known but where it comes from.
using TermId = unsigned;
struct Term {
  /// What a reader would think of it: conditions on the same variable may depend on each
  /// other in ways that are not understood.
  llvm::SmallVector<const clang::Decl *, 1> Mentions;
  /// What the call was asked about that gave it: it may depend on conditions on that.
  llvm::SmallVector<const clang::Decl *, 1> AskedAbout;
  enum StatusKind : uint8_t {
    NoStatus,
    OfCall, ///< a call to the device says with it whether it failed
    OfTake, ///< a call that takes a resource does
  } Status = NoStatus;
  bool ZeroMeansFailed = false; ///< of a Status; else anything but zero does
  /// The same value wherever it is mentioned. Else it was made by code that is not
  /// understood, and whoever releases under a condition on it is believed.
  bool IsCertain = true;
  /// What `k % 3` gives: certain, but how it goes together with what else is asked of `k` is not
  /// understood.
  bool IsComputed = false;
  std::optional<int64_t> Min, Max;
  LoopSet Loops = 0; ///< another value in each round of these
  LoopSet Ended = 0; ///< of an earlier round of these
};

/// A sum of terms and a constant.
struct Linear {
  llvm::SmallVector<std::pair<TermId, int64_t>, 2> Terms; ///< ordered, no zeros
  int64_t Constant = 0;

  static Linear constant(int64_t C) { return {{}, C}; }
  static Linear term(TermId T) { return {{{T, 1}}, 0}; }
  bool isConstant() const { return Terms.empty(); }
  std::optional<Linear> plus(const Linear &O, int64_t Times) const;
};

enum class Answer : uint8_t { No, Yes, Unknown };

class Logic {
public:
  TermId add(Term T);
  const Term &term(TermId T) const { return Terms[T]; }

  Condition always() { return &Formulas.makeLiteral(true); }
  Condition never() { return &Formulas.makeLiteral(false); }
  Condition literal(bool Value) { return &Formulas.makeLiteral(Value); }
  Condition no(Condition A);
  Condition both(Condition A, Condition B) { return &Formulas.makeAnd(*A, *B); }
  Condition either(Condition A, Condition B) { return &Formulas.makeOr(*A, *B); }
  Condition same(Condition A, Condition B) { return &Formulas.makeEquals(*A, *B); }
  Condition all(llvm::ArrayRef<Condition> Of);
  Condition any(llvm::ArrayRef<Condition> Of);
  /// \p L < 0.
  Condition isNegative(Linear L);
  Condition isZero(const Linear &L);

  /// The parts of a conjunction.
  void addParts(Condition C, Conditions &To) const;
  using TermTest = llvm::function_ref<bool(const Term &)>;
  /// Whether some atom of \p C is about a term that \p Is accepts.
  bool mentions(Condition C, TermTest Is) const;
  const llvm::SetVector<unsigned> &atomsOf(Condition C) const;
  Condition atom(unsigned Atom) { return &Formulas.makeAtomRef(clang::dataflow::Atom(Atom)); }
  const Linear &sumOf(unsigned Atom) const { return Sums[Groups[Atom].Sum]; }

  /// Implied by \p C, and without what the terms that \p Of accepts have to say.
  Condition without(Condition C, TermTest Of);
  /// \p C, said of an earlier round of \p L.
  Condition ended(Condition C, LoopId L);

  /// \p C, said of the round of \p L that ends, for the next one to ask.
  Condition carried(Condition C, LoopId L);
  /// What \p T is at the end of each round of \p L is what the next one begins with as \p Begin.
  void setCarried(TermId T, LoopId L, TermId Begin) { CarriedAs.try_emplace({T, L}, Begin); }

  /// \p T is nowhere less, or nowhere more, than that.
  void setLeast(TermId T, int64_t Least) { Terms[T].Min = Least; }
  void setMost(TermId T, int64_t Most) { Terms[T].Max = Most; }

  /// Rounds of \p L begin with another \p T each.
  void setChanging(TermId T, LoopId L) { Changing.insert({T, L}); }
  /// In each round \p T is more (\p Step 1) or less (\p Step -1) than in those before.
  void setMonotone(TermId T, LoopId L, int Step) {
    Monotone[{T, L}] = Step;
    forgetAnswers();
  }
  /// A round of \p L leaves \p T as it was or makes it \p Final. \p After says of a
  /// constant whether \p T is less than it after the round.
  void setSettling(TermId T, LoopId L, std::function<Condition(int64_t)> After, int64_t Final) {
    Settles[{T, L}] = {std::move(After), Final};
    forgetAnswers();
  }
  /// Whether it is known how \p T changes from one round of \p L to the next.
  bool isFollowed(TermId T, LoopId L) const {
    return Monotone.count({T, L}) || Settles.count({T, L});
  }
  /// Whether \p T counts up (1) or down (-1) in each round of \p L; else 0.
  int stepOf(TermId T, LoopId L) const {
    auto It = Monotone.find({T, L});
    return It == Monotone.end() ? 0 : It->second;
  }
  /// Some loop changes \p T from round to round, and it is not known how.
  bool changesUnclearly(TermId T) const {
    auto It = Changing.lower_bound({T, 0});
    return It != Changing.end() && It->first == T && !isFollowed(T, It->second);
  }

  /// Those of \p Of that share a term with \p Seeds, or with what does. The others have
  /// no part in whether all can hold, as far as each of them can.
  Conditions concerning(llvm::ArrayRef<Condition> Seeds, llvm::ArrayRef<Condition> Of) const;
  /// Whether all of \p Together can hold at once.
  Answer arePossible(llvm::ArrayRef<Condition> Together);
  /// What is known only because a budget ended counts here.
  unsigned undecided() const { return Undecided; }

private:
  struct Group {
    unsigned Sum; ///< of Sums
    int64_t Bound;
  };
  struct Settled {
    std::function<Condition(int64_t)> After;
    int64_t Final;
  };
  using Atoms = llvm::SetVector<unsigned>;

  Condition less(const Linear &L, int64_t Bound);
  Condition atom(const Linear &L, int64_t Bound);
  std::optional<bool> decidedByRange(const Linear &L, int64_t Bound) const;
  using Memo = std::map<std::pair<Condition, bool>, Condition>;
  Condition weakened(Condition C, bool Positive, TermTest Of, Memo &Known);
  using NewTerm = llvm::function_ref<TermId(TermId)>;
  Condition replaced(Condition C, NewTerm By, Memo &Known);
  void addRoots(Condition C, llvm::SetVector<TermId> &To) const;
  const llvm::SmallVector<TermId, 4> &rootsOf(Condition C) const;
  std::vector<Conditions> apart(llvm::ArrayRef<Condition> Parts) const;
  std::optional<bool> fitsBounds(llvm::ArrayRef<Condition> Literals) const;
  void forgetAnswers() {
    RootsOf.clear();
    Possible.clear();
    Solved.clear();
  }
  Answer areAllPossible(llvm::ArrayRef<Condition> Together);
  Answer solveOnce(Conditions Parts);
  Answer solve(Conditions Parts);
  TermId endedTerm(TermId T, LoopId L);
  std::optional<std::pair<unsigned, LoopId>> begun(unsigned Sum) const;

  // What is known of integers and of rounds (Axioms.cpp).
  using Asked = std::map<unsigned, std::map<int64_t, Condition>>; ///< sums, bounds, atoms
  Asked asked(const Atoms &Of);
  void addAxioms(Conditions &To, Atoms &Of);
  void addOrder(unsigned Sum, const Asked &All, Conditions &To);
  void addDifference(unsigned Sum, std::pair<TermId, int64_t> Bounded,
                     std::pair<TermId, int64_t> Other, const Asked &All, Conditions &To);
  void addDifferences(unsigned Sum, const Asked &All, Conditions &To);
  void addSettling(unsigned Sum, const Asked &All, Conditions &To);
  int stepOf(const Linear &Ended, LoopId L) const;

  clang::dataflow::Arena Formulas;
  std::vector<Term> Terms;
  std::vector<Linear> Sums;
  std::vector<Group> Groups; ///< by atom
  std::map<llvm::SmallVector<std::pair<TermId, int64_t>, 2>, unsigned> SumOf;
  std::map<std::pair<unsigned, int64_t>, Condition> AtomOf; ///< of a sum and a bound
  std::map<std::pair<TermId, LoopId>, TermId> EndedOf;
  std::map<std::pair<TermId, LoopId>, TermId> CarriedAs; ///< as what the next round begins with it
  std::map<TermId, std::pair<TermId, LoopId>> BegunOf;
  std::set<std::pair<TermId, LoopId>> Changing;
  std::map<std::pair<TermId, LoopId>, int> Monotone;
  std::map<std::pair<TermId, LoopId>, Settled> Settles;
  mutable llvm::DenseMap<Condition, std::unique_ptr<Atoms>> AtomsOf;
  mutable llvm::DenseMap<Condition, std::unique_ptr<llvm::SmallVector<TermId, 4>>> RootsOf;
  clang::dataflow::WatchedLiteralsSolver Solver{static_cast<int64_t>(limitOf(Budget::SolverWork))};
  unsigned Undecided = 0;
  // By the conditions, sorted; of what is known of rounds so far.
  std::map<Conditions, Answer> Possible; ///< of whole questions
  std::map<Conditions, Answer> Solved;   ///< of groups that share terms
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_LOGIC_H
