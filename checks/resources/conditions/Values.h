//===-- Values.h - What variables and conditions are worth -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Integers and truths as sums and formulas over what was there when the
// function began, what calls returned and what loops have changed. A saved bool stands
// for the condition that it was computed from.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_VALUES_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_VALUES_H

#include "checks/resources/conditions/Loops.h"
#include "checks/resources/conditions/Places.h"
#include "checks/resources/conditions/values/Replies.h"
#include "checks/resources/facts/ResourceFacts.h"
#include "llvm/ADT/FoldingSet.h"

namespace tensorleak {

using PlaceId = ConditionPlaces::PlaceId;
using ValueId = unsigned;

/// One of the three.
struct PlaceValue {
  std::optional<Linear> Number;
  Condition Truth = nullptr;                          ///< 1 where it holds, else 0
  std::vector<std::pair<Condition, ValueId>> Choices; ///< one of these holds
  unsigned Depth = 0;                                 ///< of choices among choices
};
/// Of places; those that are missing have what they had when the function began.
using PlaceValues = std::map<PlaceId, ValueId>;

/// As far as the compiler, or a comparison of types, can tell.
std::optional<int64_t> constantOf(const clang::Expr &E, clang::ASTContext &Context);

class ValueTable {
public:
  ValueTable(const ResourceFacts &Facts, Logic &L, const Loops &Rounds);

  const ConditionPlaces &places() const { return Places; }
  /// The block whose statements are looked at now.
  void enter(unsigned Block) { Around = Rounds.around(Block); }
  void apply(const clang::Stmt &S, PlaceValues &Now);
  Condition truth(const clang::Expr *E, const PlaceValues &Now);
  Condition equals(const clang::Expr *E, int64_t Constant, const PlaceValues &Now);
  Condition isLess(ValueId V, int64_t Bound);

  ValueId read(PlaceId P, const PlaceValues &Now);
  /// Something new of which nothing is known, but that it changes with the loop at hand.
  ValueId changing(PlaceId P);
  ValueId choose(PlaceId P, std::vector<std::pair<Condition, ValueId>> Choices);
  /// Something of which nothing is known, not even whether it stays the same.
  ValueId unclear(PlaceId P) { return unknown(P, false); }
  const PlaceValue &operator[](ValueId V) const { return Values[V]; }
  /// All that \p V can be; null where it is no number.
  void forEachNumber(ValueId V, llvm::function_ref<void(const Linear *)> Visit) const;

  /// Whether the resource of \p Id was had, as far as a status tells.
  Condition taken(SiteId Id);
  LoopSet loopsAround(SiteId Id) const;
  /// Where a call, of which an event asks, returns this.
  Condition answered(const CallAnswer &A);
  /// Calls in \p E and variables that say whether a call failed.
  Condition allFailed(const clang::Expr &E, const PlaceValues &Now);
  /// Only what variables in \p E have kept of such questions: `bool ok = check(cudaMalloc(...))`.
  Condition keptFailures(const clang::Expr &E, const PlaceValues &Now);
  /// The place that had the value of \p T when the function began.
  std::optional<PlaceId> beganAs(TermId T) const;

private:
  using Opcode = clang::BinaryOperatorKind;
  ValueId add(PlaceValue V);
  ValueId number(Linear L) { return add({std::move(L), nullptr, {}, 0}); }
  ValueId fact(Condition C);
  ValueId value(const clang::Expr *E, const PlaceValues &Now);
  ValueId valueOfUnary(const clang::UnaryOperator &Op, const PlaceValues &Now);
  ValueId valueOfBinary(const clang::BinaryOperator &Op, const PlaceValues &Now);
  Replies knownReplies(const clang::ParmVarDecl &Argument, const clang::Stmt &Body);
  ValueId replied(const Reply &R, ValueId Argument);
  std::optional<ValueId> repliedTo(const clang::CallExpr &Call, const PlaceValues &Now);
  std::optional<ValueId> valueOfCall(const clang::CallExpr &Call, const PlaceValues &Now);
  bool isPlainNumber(ValueId V) const;
  void describe(const clang::Expr &E, const PlaceValues &Now, llvm::FoldingSetNodeID &Key,
                LoopSet &In);
  bool isAskedAboutNumbers(const clang::CallExpr &Call, const PlaceValues &Now);
  std::optional<ValueId> answerAbout(const clang::CallExpr &Call, const PlaceValues &Now);
  std::optional<ValueId> sum(ValueId A, ValueId B, int64_t Times);
  bool isCertainNumber(ValueId V) const;
  bool isComputed(const clang::Expr &E, const PlaceValues &Now);
  ValueId opaque(const clang::Expr &E, const PlaceValues &Now);
  ValueId assigned(PlaceId P, const clang::Expr &From, const PlaceValues &Now);
  ValueId answer(PlaceId P, const clang::Expr &From);
  void keepFailure(ValueId V, const clang::Expr &From, const PlaceValues &Now);
  Condition failedIn(const clang::Stmt &S);
  ValueId writtenBy(const clang::Stmt &S, PlaceId P, bool IsCertain);
  bool isUnderstood(ValueId V) const;
  void findAcquired();
  std::optional<ValueId> acquired(PlaceId P, const clang::Stmt &At, const PlaceValues &Now);
  ValueId stepped(PlaceId P, const clang::Expr &By, const PlaceValues &Now);
  ValueId unknown(PlaceId P, bool IsCertain, bool IsInitial = false);
  Condition holds(ValueId V);
  Condition compare(Opcode Op, ValueId A, ValueId B);
  Condition compareNumbers(Opcode Op, const Linear &A, const Linear &B);
  std::vector<std::pair<Condition, ValueId>> choicesOf(ValueId V);
  bool isInteger(const clang::Expr &E) const;
  Term termOf(clang::QualType T) const;
  LoopSet loopsOf(ValueId V) const;
  TermId statusOf(SiteId Id);
  bool isStatus(const clang::CallExpr &Call) const;
  TermId resultOf(const clang::CallExpr &Call);
  const clang::CallExpr *askedPair(const clang::Expr &E) const;
  const clang::CallExpr *pairKept(const clang::Stmt &S, PlaceId P) const;
  bool saysWhetherFailed(clang::QualType T) const;

  const ResourceFacts &Facts;
  Logic &L;
  const Loops &Rounds;
  clang::ASTContext &Context;
  ConditionPlaces Places;
  LoopSet Around = 0;
  std::vector<PlaceValue> Values;
  std::map<PlaceId, ValueId> Initial;
  std::map<TermId, PlaceId> InitialOf;
  std::map<llvm::FoldingSetNodeID, ValueId> Opaque;         ///< by what they look like and read
  std::map<std::pair<unsigned, unsigned>, TermId> Statuses; ///< by where they are written
  std::map<SiteId, unsigned> BlockOf;
  llvm::DenseMap<const clang::CallExpr *, unsigned> Asked; ///< blocks of calls that may refuse
  std::map<SiteId, TermId> DecidedByCallee;
  llvm::DenseMap<const clang::ParmVarDecl *, Replies> RepliesTo;
  std::map<std::pair<const clang::Stmt *, PlaceId>, SiteId> Acquired; ///< by calls
  std::map<ValueId, Condition> Failures; ///< what failed where an answer leads out
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_VALUES_H
