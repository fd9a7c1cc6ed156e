//===-- NodeClasses.h - The classes of autograd nodes ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node is recognised by its vtable. The vtables are taken from the symbol
// tables of the loaded files (LibTorch exports them), and learned from every
// node that is deleted, which also finds the custom functions that an executable
// keeps to itself.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_NODECLASSES_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_NODECLASSES_H

#include "runtime/probe/core/Record.h"

#include <atomic>
#include <string>
#include <unordered_map>

namespace tensorleak::probe {

class NodeClasses {
public:
  /// Remembers the class of a node that was certainly one. Lock-free.
  void learn(uintptr_t Vtable);
  bool contains(uintptr_t Vtable) const;
  /// Takes in the files that were loaded since.
  void readSymbols();
  /// The number of a class, for records; writes the class when it is new.
  uint32_t idOf(uintptr_t Vtable, Recorder &Trace);

private:
  static constexpr size_t Capacity = 8192; ///< LibTorch has about 600
  static size_t homeOf(uintptr_t Vtable) { return (Vtable * 0x9E3779B97F4A7C15ull) >> 51; }

  std::atomic<uintptr_t> Known[Capacity] = {};
  uint64_t ReadModules = ~uint64_t(0);
  std::unordered_map<uintptr_t, std::string> Names;
  std::unordered_map<uintptr_t, uint32_t> Ids;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_NODECLASSES_H
