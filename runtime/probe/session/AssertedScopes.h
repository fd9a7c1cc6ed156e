//===-- AssertedScopes.h - The scopes of the program that are open --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scope is a part of the program about whose memory it asserts something
// (include/tensorleak/expect.h). Scopes nest, and threads may each have their own.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_ASSERTEDSCOPES_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_ASSERTEDSCOPES_H

#include "runtime/trace/ProgramRecords.h"

#include <map>
#include <mutex>
#include <optional>

namespace tensorleak::probe {

struct AssertedScope {
  trace::AssertionKind Kind = trace::AssertionKind::NoGrowth;
  uint64_t Rounds = 0, Done = 0;
  uint32_t FirstGeneration = 0;

  bool hasRounds() const { return Kind == trace::AssertionKind::NoGrowth; }
  /// Whether what is costly to count is counted at the end of this round: at six of them,
  /// all after the warm-up.
  bool isSampled() const;
};

class AssertedScopes {
public:
  uint64_t begin(trace::AssertionKind Kind, uint64_t Limit, uint32_t Generation);
  /// Counts a round of the scope and returns it; nothing if it is not open, or has no rounds.
  std::optional<AssertedScope> round(uint64_t Id);
  std::optional<AssertedScope> end(uint64_t Id);
  /// Whether one of that kind is open.
  bool anyOpen(trace::AssertionKind Kind);

private:
  std::mutex Mutex;
  uint64_t Last = 0;
  std::map<uint64_t, AssertedScope> Open;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_ASSERTEDSCOPES_H
