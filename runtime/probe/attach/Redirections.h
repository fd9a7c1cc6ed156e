//===-- Redirections.h - Leads the calls of a running program to the hooks ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loader does for a preloaded probe when it binds symbols, done afterwards: each
// slot of a loaded file that leads to a function that the probe exports is led to the
// probe's. A slot that leads elsewhere is left alone: another tool's hook, an allocator
// that only this file uses.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_ATTACH_REDIRECTIONS_H
#define TENSORLEAK_RUNTIME_PROBE_ATTACH_REDIRECTIONS_H

#include "runtime/probe/core/Modules.h"

#include <string_view>
#include <unordered_map>

namespace tensorleak::probe {

class Redirections {
public:
  /// All functions that the probe exports.
  Redirections();
  void applyToAll();
  /// Leads what was loaded since the last time. Cheap where that is nothing.
  void applyToNew();

private:
  struct Target {
    uintptr_t Hook = 0;
    uintptr_t Real = 0; ///< 0 while no loaded file defines it
  };
  void findReal();
  void apply(const LoadedModule &M) const;
  static bool mayLead(const LoadedModule &M, const char *Symbol, const Target &T, uintptr_t Now);

  std::unordered_map<std::string_view, Target> Targets;
  uint64_t Seen = ~uint64_t(0);
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_ATTACH_REDIRECTIONS_H
