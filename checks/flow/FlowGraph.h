//===-- FlowGraph.h - Where tensors end up, over a whole file -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of who may flow into whom, without order: values into places, places
// into values. Variables and fields stand once for the whole file, so
// that a member filled in one method and used in another is seen; only what a
// local variable holds at a time is told apart (LocalStores). Rules ask what must
// keep them silent: does this reach a backward, a return, the unknown?
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_FLOWGRAPH_H
#define TENSORLEAK_CHECKS_FLOW_FLOWGRAPH_H

#include "checks/facts/Facts.h"
#include "checks/facts/Fate.h"
#include "llvm/ADT/SetVector.h"

namespace tensorleak {

struct StateResult;

class FlowGraph {
public:
  /// \p State: what its values carry. \p IsSeenWhole: whether all that can happen to the member is
  /// in what is added.
  using Seen = llvm::function_ref<bool(const clang::FieldDecl &)>;
  void add(const FunctionFacts &Facts, const StateResult &State, Seen IsSeenWhole);
  /// \p D is used where we did not look.
  void addUnknown(const clang::ValueDecl &D) { addFate(D, ReachesUnknown); }
  void addFate(const clang::ValueDecl &D, uint8_t Bits) {
    if (Bits)
      mark(nodesOf(&D).Itself, Bits);
  }
  void solve();

  /// The fate of what is in the place. Fields count for all objects of their class.
  uint8_t fateOf(const FunctionFacts &Facts, PlaceId P) const;
  uint8_t fateOf(const clang::ValueDecl &D) const;
  /// The same, had the events that \p Ignored accepts never happened, and without what other
  /// files say of \p Elsewhere.
  using Test = llvm::function_ref<bool(const Event &)>;
  uint8_t fateWithout(const FunctionFacts &Facts, PlaceId P, Test Ignored,
                      uint8_t Elsewhere = 0) const;
  /// The same, where what \p AllCallsAreHere accepts returns goes to its callers, which are in
  /// view: where they let it end up. Each time with the same test.
  using Functions = llvm::function_ref<bool(const clang::FunctionDecl &)>;
  uint8_t fateBeyondReturns(const FunctionFacts &Facts, PlaceId P, Functions AllCallsAreHere);
  uint8_t fateOfValueBeyondReturns(const FunctionFacts &Facts, ValueId V,
                                   Functions AllCallsAreHere);
  /// The variables, parameters and fields that anything flows through.
  std::vector<const clang::ValueDecl *> variables() const;
  uint8_t fateOfValue(const FunctionFacts &Facts, ValueId V) const;

private:
  using Node = unsigned;
  /// What happens to an object happens to all that its members hold; what happens to one
  /// member does not happen to the members beside it.
  struct DeclNodes {
    Node Stored; ///< what is put into it, or into one of its members
    Node Itself; ///< what happens to it as a whole
  };
  DeclNodes nodesOf(const clang::ValueDecl *D, const FunctionFacts *Of = nullptr);
  DeclNodes nodesOf(const FunctionFacts &Facts, PlaceId P);
  const DeclNodes *findNodes(const FunctionFacts &Facts, PlaceId P) const;
  /// Where \p V goes when it is put into \p D: a copy of another object has members of
  /// its own, which are followed by themselves.
  static Node targetOf(const FunctionFacts &Facts, ValueId V, DeclNodes Nodes);
  Node nodeOf(const FunctionFacts &Facts, ValueId V) const;
  Node fresh();
  /// What reaches \p To is the fate of \p From too, as far as \p Mask goes.
  void edge(Node From, Node To, uint8_t Mask = 0xff, const Event *Call = nullptr) {
    Predecessors[To].push_back({From, Mask, Call});
  }
  void addWrite(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole);
  void addLocals(const FunctionFacts &Facts);
  void addCaptured(const FunctionFacts &Facts);
  void addCall(const FunctionFacts &Facts, const Event &E);
  void addValues(const FunctionFacts &Facts, const StateResult &State, Node First);
  void addEvent(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole);
  void noteReturns(const FunctionFacts &Facts, const Event &E);
  void joinReturns(Functions AllCallsAreHere);
  void mark(Node N, uint8_t Bits);
  /// \p Beyond: also from what calls give to what their functions return.
  void spread(std::vector<uint8_t> &To, Test Ignored, bool Beyond = false) const;
  void markOperands(const FunctionFacts &Facts, const Event &E, uint8_t Bits);

  struct Edge {
    Node From;
    uint8_t Mask;
    const Event *Call = nullptr; ///< into the parameter of what is called there
    bool OfReturn = false;       ///< from a call to what its function returns
  };
  /// What the calls of a function give, of which there are \c Calls.
  struct CallResults {
    llvm::SmallVector<Node, 2> Given;
    unsigned Calls = 0;
  };
  struct ReturnOf {
    const Event *At;
    const FunctionFacts *Facts;
  };
  struct Mark {
    Node Of;
    uint8_t Bits;
    const Event *By;
  };
  std::vector<llvm::SmallVector<Edge, 2>> Predecessors;
  std::vector<uint8_t> Given; ///< what does not come from an event
  std::vector<Mark> Marks;
  std::vector<uint8_t> Fates;
  llvm::DenseMap<const clang::FunctionDecl *, CallResults> Results; ///< by canonical declaration
  std::vector<ReturnOf> Returns;
  std::vector<uint8_t> BeyondReturns; ///< empty until somebody asks
  /// By variable, and the function that it is followed in by itself: in the graph of a caller
  /// a variable of a spliced body has nothing to do with what others do there.
  using DeclKey = std::pair<const clang::ValueDecl *, const FunctionFacts *>;
  DeclKey keyOf(const clang::ValueDecl *D, const FunctionFacts *Of) const;
  llvm::DenseMap<DeclKey, DeclNodes> Decls;
  /// The pointers to a container that share it, of which the first stands for all.
  mutable llvm::DenseMap<const clang::CXXRecordDecl *,
                         llvm::SmallSetVector<const clang::ValueDecl *, 4>>
      SharedNames;
  llvm::DenseMap<const FunctionFacts *, Node> FirstValue;
  /// What a write of a local variable leaves in it, for the function at hand.
  llvm::DenseMap<const Event *, Node> Written;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_FLOWGRAPH_H
