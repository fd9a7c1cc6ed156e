//===-- Fate.h - Where something may end up -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_FATE_H
#define TENSORLEAK_CHECKS_FACTS_FATE_H

#include <cstdint>

namespace tensorleak {

/// Where something may end up, as bits.
enum Fate : uint8_t {
  ReachesBackward = 1, ///< its graph is run
  ReachesReturn = 2,   ///< it leaves the function to a caller
  ReachesUnknown = 4,  ///< it goes where we cannot follow
  ReachesGraphUse = 8, ///< something is computed from it with its graph
  ReachesShared =
      16, ///< stored where what is not seen may read it: a parameter, a static, a member
};

/// What somebody may do with a result's graph later, as far as we see.
constexpr uint8_t MayBeDifferentiated =
    ReachesBackward | ReachesReturn | ReachesUnknown | ReachesShared;

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_FATE_H
