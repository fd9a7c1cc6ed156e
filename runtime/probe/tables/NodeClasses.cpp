//===-- NodeClasses.cpp - The classes of autograd nodes --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NodeClasses.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/NodeClasses.h"
#include "runtime/probe/core/Modules.h"

#include <cstring>

namespace tensorleak::probe {
namespace {

/// Itanium C++ ABI: offset to top and type info come before the address point.
constexpr uintptr_t AddressPoint = 16;

/// Node itself is abstract: its vtable is only seen in nodes that are destroyed.
bool isAutogradVtable(const char *Name) {
  return !std::strncmp(Name, "_ZTVN5torch", 11) && std::strstr(Name, "8autograd") &&
         std::strcmp(Name, "_ZTVN5torch8autograd4NodeE");
}

} // namespace

bool NodeClasses::contains(uintptr_t Vtable) const {
  for (size_t I = homeOf(Vtable);; I = (I + 1) % Capacity) {
    uintptr_t Other = Known[I].load(std::memory_order_relaxed);
    if (Other == Vtable)
      return Vtable != 0;
    if (!Other)
      return false;
  }
}

void NodeClasses::learn(uintptr_t Vtable) {
  if (!Vtable || contains(Vtable))
    return;
  size_t I = homeOf(Vtable);
  // Half full is the limit: then searches stay short, and always end.
  for (size_t Tries = 0; Tries < Capacity / 2; ++Tries, I = (I + 1) % Capacity) {
    uintptr_t Empty = 0;
    if (Known[I].compare_exchange_strong(Empty, Vtable) || Empty == Vtable)
      return;
  }
}

void NodeClasses::readSymbols() {
  uint64_t Now = moduleGeneration();
  if (Now == ReadModules)
    return;
  ReadModules = Now;
  for (const LoadedModule &M : loadedModules())
    M.forEachSymbol([&](const char *Name, uintptr_t Address) {
      if (!isAutogradVtable(Name))
        return;
      learn(Address + AddressPoint);
      Names.emplace(Address + AddressPoint, Name);
    });
}

uint32_t NodeClasses::idOf(uintptr_t Vtable, Recorder &Trace) {
  auto [At, IsNew] = Ids.try_emplace(Vtable, uint32_t(Ids.size() + 1));
  if (IsNew) {
    auto Name = Names.find(Vtable);
    Trace.write(trace::NodeClass{At->second, Name == Names.end() ? "" : Name->second, Vtable});
  }
  return At->second;
}

} // namespace tensorleak::probe
