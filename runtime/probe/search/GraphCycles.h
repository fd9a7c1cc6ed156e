//===-- GraphCycles.h - Autograd graphs that refer to themselves ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and tensors own each other by counted references: a cycle of them is never
// freed. From every live node down the owning pointers, the strongly connected parts
// are found (Tarjan); those with a node in them are the cycles. Which of them are
// reported, and from where, must not depend on addresses: two runs report the same.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_GRAPHCYCLES_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_GRAPHCYCLES_H

#include "runtime/probe/search/PointerIndex.h"
#include "runtime/probe/search/SearchReport.h"
#include "runtime/probe/tables/NodeClasses.h"
#include "runtime/probe/tables/NodeLog.h"

namespace tensorleak::probe {

class GraphCycles {
public:
  GraphCycles(const PointerIndex &Pointers, const NodeClasses &Classes, NodeLog &Nodes,
              SearchReport &Report);

  /// The blocks that are live autograd nodes.
  const PageVector<uint32_t> &nodes() const { return LiveNodes; }
  /// When and where a node was made; null if that is not known.
  const NodeBirth *birthOf(uint32_t Block) const;
  /// Finds the cycles, counts their nodes by site, and adds a few as examples.
  void search();

private:
  static constexpr unsigned MaxSamples = 12, SamplesPerSite = 3;
  static constexpr uint64_t MaxWords = 2048; ///< of a block that is followed
  static constexpr uint32_t NotYet = ~0u;

  /// A block whose pointers are being followed.
  struct Visit {
    uint32_t Block;
    uint64_t NextWord;
  };

  void findNodes();
  bool isNode(uint32_t Block) const;
  /// A node that the way round is looked for from.
  struct Start {
    uint32_t Block, Site, Tick;
    uint64_t Thread, Number;
    bool isYoungerThan(const Start &Other) const;
  };
  /// The youngest nodes of a component, the youngest first.
  struct Example {
    static constexpr unsigned Max = 24;
    uint32_t Count = 0, Ticks = 0; ///< in how many ticks its nodes were made
    Start Starts[Max];
    void consider(const Start &S);
    uint32_t site() const { return Starts[0].Site; }
  };

  /// What a block's first word reveals of the pointers in it.
  enum class Role : uint8_t { Plain, Node, Tensor, AutogradMeta, ControlBlock };
  Role roleOf(uint32_t Block);
  /// The block that the word at this place owns; blocks().size() if none.
  uint32_t ownedBy(uint32_t Block, uint64_t Word);
  bool mayOwn(uint32_t From, uint64_t Word, uint32_t To);
  bool isEdgeList(uint32_t Block);
  bool isVectorAt(uint32_t Block, uint64_t Word, uint32_t Elements) const;
  bool isAccumulateGrad(uint32_t Block) const;
  uint64_t wordsOf(uint32_t Block) const;

  void connect(uint32_t Root);
  void enter(uint32_t Block);
  void leave(uint32_t Block);
  void takeComponent(uint32_t Root);
  void countNode(uint32_t Block);
  void writeCounts();
  Example exampleOf(const uint32_t *First, const uint32_t *End);
  void addSamples();
  void addSample(const Example &Of, uint32_t Ticks);
  void report(uint32_t Node, uint32_t Ticks);
  /// A block on a way that has met no tensor yet, or that has.
  static uint32_t before(uint32_t Block) { return 2 * Block; }
  static uint32_t after(uint32_t Block) { return 2 * Block + 1; }
  /// The number of blocks on the shortest way from a node through a tensor back to itself;
  /// 0 if there is none, or none shorter than \p Limit. Parent then has the way.
  uint32_t closeCycle(uint32_t Node, uint32_t Limit);

  const PointerIndex &Pointers;
  const NodeClasses &Classes;
  NodeLog &Log;
  SearchReport &Report;
  PageVector<uint32_t> LiveNodes;
  PageVector<uint32_t> Order, Low, Component; ///< per block
  PageVector<uint32_t> Stack;
  PageVector<Visit> Open;
  // Two for each block, see before() and after().
  PageVector<uint32_t> Parent, ParentWord, Distance; ///< of one way round
  PageVector<uint32_t> SeenBy;                       ///< the number of the last way that met it
  PageVector<uint64_t> Cyclic;                       ///< site and birth tick of the nodes in cycles
  PageVector<Example> Examples;
  PageVector<Role> Roles;
  PageVector<uint8_t> RoleKnown;
  uint32_t Counter = 0, Components = 0, Ways = 0;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_GRAPHCYCLES_H
