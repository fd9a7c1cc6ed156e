//===-- GraphCycle.h - tensor-graph-cycle ------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Autograd graphs that refer to themselves. Nothing frees such a graph, not even
// the end of every handle.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_GRAPHCYCLE_H
#define TENSORLEAK_CHECKS_GRAPHCYCLE_H

#include "checks/Rule.h"

namespace tensorleak {

class GraphCycle : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-graph-cycle";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_GRAPHCYCLE_H
