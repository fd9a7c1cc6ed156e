//===-- GraphCycles.h - Autograd graphs that refer to themselves -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and tensors own each other by counted references: a cycle of them is never
// freed. From every live node down the owning pointers, the strongly connected parts
// are found (Tarjan); those with a node in them are the cycles.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TORCH_GRAPHCYCLES_H
#define TENSORLEAK_RUNTIME_PROBE_TORCH_GRAPHCYCLES_H

#include "runtime/probe/torch/NodeClasses.h"
#include "runtime/probe/torch/NodeLog.h"
#include "runtime/probe/torch/PointerIndex.h"
#include "runtime/probe/torch/SearchReport.h"

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
  static constexpr unsigned MaxSamples = 12;
  static constexpr uint64_t MaxWords = 2048; ///< of a block that is followed
  static constexpr uint32_t NotYet = ~0u;

  /// A block whose pointers are being followed.
  struct Visit {
    uint32_t Block;
    uint64_t NextWord;
  };

  void findNodes();
  bool isNode(uint32_t Block) const;
  /// What a block's first word says of the pointers in it.
  enum class Role : uint8_t { Plain, Node, Tensor, AutogradMeta, ControlBlock };
  Role roleOf(uint32_t Block);
  /// The block that the word at this place owns; blocks().size() if none.
  uint32_t ownedBy(uint32_t Block, uint64_t Word);
  bool mayOwn(uint32_t From, uint64_t Word, uint32_t To);
  bool isAccumulateGrad(uint32_t Block) const;
  uint64_t wordsOf(uint32_t Block) const;

  void connect(uint32_t Root);
  void enter(uint32_t Block);
  void leave(uint32_t Block);
  void takeComponent(uint32_t Root);
  void countNode(uint32_t Block);
  void writeCounts();
  void addSample(uint32_t Node);
  bool closeCycle(uint32_t Node);

  const PointerIndex &Pointers;
  const NodeClasses &Classes;
  NodeLog &Log;
  SearchReport &Report;
  PageVector<uint32_t> LiveNodes;
  PageVector<uint32_t> Order, Low, Component; ///< per block
  PageVector<uint32_t> Stack;
  PageVector<Visit> Open;
  PageVector<uint32_t> Parent, ParentWord; ///< per block, of the search for one cycle
  PageVector<uint64_t> Cyclic;             ///< site and birth tick of the nodes in cycles
  PageVector<uint32_t> SampleNodes;
  PageVector<Role> Roles;
  PageVector<uint8_t> RoleKnown;
  uint32_t Counter = 0, Components = 0;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_GRAPHCYCLES_H
