//===-- Flow.h - Where tensors end up, over a whole file ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of who may flow into whom, without order: values into places, places
// into values. Variables and fields are one node each for the whole file, so
// that a member filled in one method and used in another is seen; only what a
// local variable holds at a time is told apart (LocalStores). Rules ask what must
// keep them silent: does this reach a backward, a return, the unknown?
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_FLOW_H
#define TENSORLEAK_CHECKS_ANALYSIS_FLOW_H

#include "checks/analysis/Facts.h"

namespace tensorleak {

/// Where something may end up, as bits.
enum Fate : uint8_t {
  ReachesBackward = 1, ///< its graph is run
  ReachesReturn = 2,   ///< it leaves the function to a caller
  ReachesUnknown = 4,  ///< it goes where we cannot follow
  ReachesGraphUse = 8, ///< something is computed from it with its graph
  ReachesShared = 16,  ///< stored where what is not seen may read it: a parameter, a static, a member
};

/// What somebody may do with a result's graph later, as far as we see.
constexpr uint8_t MayBeDifferentiated =
    ReachesBackward | ReachesReturn | ReachesUnknown | ReachesShared;

class FlowGraph {
public:
  /// \p IsSeenWhole: whether all that can happen to the member is in what is added.
  using Seen = llvm::function_ref<bool(const clang::FieldDecl &)>;
  void add(const FunctionFacts &Facts, Seen IsSeenWhole);
  /// \p D is used where we did not look.
  void addUnknown(const clang::ValueDecl &D) { addFate(D, ReachesUnknown); }
  void addFate(const clang::ValueDecl &D, uint8_t Bits) {
    if (Bits)
      mark(nodeOf(&D), Bits);
  }
  void solve();

  /// The fate of what is in the place. Fields count for all objects of their class.
  uint8_t fateOf(const FunctionFacts &Facts, PlaceId P) const;
  uint8_t fateOf(const clang::ValueDecl &D) const;
  /// The variables, parameters and fields that anything flows through.
  std::vector<const clang::ValueDecl *> variables() const;
  uint8_t fateOfValue(const FunctionFacts &Facts, ValueId V) const;

private:
  using Node = unsigned;
  Node nodeOf(const clang::ValueDecl *D);
  Node nodeOf(const FunctionFacts &Facts, ValueId V) const;
  Node fresh();
  /// What reaches \p To is the fate of \p From too, as far as \p Mask goes.
  void edge(Node From, Node To, uint8_t Mask = 0xff) { Predecessors[To].push_back({From, Mask}); }
  void addWrite(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole);
  void addLocals(const FunctionFacts &Facts);
  void addCall(const FunctionFacts &Facts, const Event &E);
  void addValues(const FunctionFacts &Facts, Node First);
  void addEvent(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole);
  void mark(Node N, uint8_t Bits);
  void markOperands(const FunctionFacts &Facts, const Event &E, uint8_t Bits);

  struct Edge {
    Node From;
    uint8_t Mask;
  };
  std::vector<llvm::SmallVector<Edge, 2>> Predecessors;
  std::vector<uint8_t> Fates;
  llvm::DenseMap<const clang::ValueDecl *, Node> Decls;
  llvm::DenseMap<const FunctionFacts *, Node> FirstValue;
  /// What a write of a local variable leaves in it, for the function at hand.
  llvm::DenseMap<const Event *, Node> Written;
};

/// Whether \p V, stored inside \p L, is computed from what \p P held before,
/// through values and through variables that are written inside \p L.
/// \p WithGraph: only along edges that keep the graph.
bool dependsOnItself(const FunctionFacts &Facts, ValueId V, PlaceId P, LoopId L, bool WithGraph);

/// Visits \p V and what it is computed from with its graph, before the event
/// \p Before: a variable stands for what was stored in it last, in the order of the
/// source. Stops and gives true when \p Visit does; its second argument is the
/// event up to which the value is looked at.
bool anyComputedFrom(const FunctionFacts &Facts, ValueId V, unsigned Before,
                     llvm::function_ref<bool(ValueId, unsigned)> Visit);

/// Parameters of the function that \p V may be computed from.
llvm::SmallVector<unsigned, 2> parametersBehind(const FunctionFacts &Facts, ValueId V);

/// Whether one of \p Values was run backward by itself, here or by the function that
/// made it; what is read from \p Except does not count.
bool wasRunBackward(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values, PlaceId Except);

/// Whether the op hands its inputs' graph on to its result.
bool keepsGraph(const Value &V);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_FLOW_H
