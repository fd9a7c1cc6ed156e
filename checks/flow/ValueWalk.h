//===-- ValueWalk.h - What a value is computed from -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one walk backwards over the values of a function: through the inputs of each and,
// where asked for, through the variables that it is read from to what was written there.
// It looks at each value once and has one budget; over it, the answer is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_VALUEWALK_H
#define TENSORLEAK_CHECKS_FLOW_VALUEWALK_H

#include "checks/facts/Facts.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

class ValueWalk {
public:
  /// What a variable that is read leads on to.
  enum class Variables : uint8_t {
    End,       ///< nothing: the walk stays within the expression
    AllWrites, ///< all that is ever written to it
    Earlier,   ///< what was stored last, in the order of the source, and added since
  };
  /// What a visitor says of a value.
  enum class Next : uint8_t {
    Into,  ///< go on with what it is computed from
    Self,  ///< with the first of that, the tensor that the op is called on
    Past,  ///< but not from this one
    Found, ///< it is what was looked for: stop
  };
  /// Unknown where the budget ran out before anything was found.
  enum class Answer : uint8_t { No, Yes, Unknown };

  /// Called for each value, and the event before which it is looked at (NoId for all but
  /// Variables::Earlier).
  using Visitor = llvm::function_ref<Next(ValueId, unsigned Before)>;

  explicit ValueWalk(const FunctionFacts &Facts, Variables Through = Variables::End)
      : Facts(Facts), Through(Through) {}

  /// Only along edges that hand the graph on.
  ValueWalk &alongGraph() {
    GraphOnly = true;
    return *this;
  }
  /// Only through what is written inside \p L; NoId: anywhere.
  ValueWalk &within(LoopId L) {
    Within = L;
    return *this;
  }
  /// Only through what is put into variables, not through what is written in place.
  ValueWalk &keptOnly() {
    KeptOnly = true;
    return *this;
  }
  /// Variables::Earlier: only through what is written before the event.
  ValueWalk &before(unsigned Event) {
    Start = Event;
    return *this;
  }

  /// Whether \p Visit finds what it looks for among \p From and what they are computed
  /// from. Visits in the order of evaluation, backwards only through variables.
  Answer any(llvm::ArrayRef<ValueId> From, Visitor Visit);

private:
  struct Item {
    ValueId V;
    unsigned Before;
  };
  void push(llvm::ArrayRef<ValueId> Values, unsigned Before);
  void pushWrites(PlaceId P, unsigned Before);
  bool counts(const Event &E, PlaceId P) const;
  void pushWrite(unsigned Event);
  unsigned lastStore(PlaceId P, unsigned Before) const;

  const FunctionFacts &Facts;
  Variables Through;
  bool GraphOnly = false, KeptOnly = false;
  LoopId Within = NoId;
  unsigned Start = NoId;
  llvm::SmallVector<Item, 16> Work; ///< the next one is the last
  llvm::DenseSet<std::pair<ValueId, unsigned>> Seen;
  llvm::DenseSet<PlaceId> SeenPlaces; ///< Variables::AllWrites
};

/// The values that \p E puts into its place, or hands on.
llvm::SmallVector<ValueId, 4> valuesOf(const Event &E);
/// Whether the op hands its inputs' graph on to its result.
bool keepsGraph(const Value &V);
/// `std::move(x)`, of an object.
bool isMoved(const Value &V);

/// Whether \p V, stored inside \p L, is computed from what \p P held before,
/// through values and through variables that are written inside \p L.
/// \p WithGraph: only along edges that keep the graph. No where that cannot be told: what
/// depends on itself is reported, what begins anew keeps silent.
bool dependsOnItself(const FunctionFacts &Facts, ValueId V, PlaceId P, LoopId L, bool WithGraph);

/// Visits \p V and what it is computed from with its graph, before the event
/// \p Before: a variable stands for what was stored in it last, in the order of the
/// source. Stops and gives true when \p Visit does; its second argument is the
/// event up to which the value is looked at. No where that cannot be told.
bool anyComputedFrom(const FunctionFacts &Facts, ValueId V, unsigned Before,
                     llvm::function_ref<bool(ValueId, unsigned)> Visit);

/// Parameters of the function that \p V may be computed from; all where that cannot be told. What
/// \p IsDone accepts is not computed from any, in the sense of who asks.
llvm::SmallVector<unsigned, 2> parametersBehind(
    const FunctionFacts &Facts, ValueId V,
    llvm::function_ref<bool(ValueId)> IsDone = [](ValueId) { return false; });

/// Whether one of \p Values was run backward by itself, here or by the function that
/// made it, or that cannot be told; what is read from \p Except does not count.
bool wasRunBackward(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values, PlaceId Except);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_VALUEWALK_H
