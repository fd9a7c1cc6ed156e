//===-- Redirections.cpp - Leads the calls of a running program to the hooks ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/attach/Redirections.h"
#include "runtime/probe/core/Slots.h"

namespace tensorleak::probe {
namespace {

/// Those of include/tensorleak/tensorleak.h: only the probe defines them, and programs call
/// them where they are there.
bool isAnnotation(std::string_view Symbol) { return Symbol.rfind("tensorleak_", 0) == 0; }

} // namespace

Redirections::Redirections() {
  for (const LoadedModule &M : loadedModules())
    if (isOwnCode(M.low()))
      M.forEachSymbol([&](const char *Name, uintptr_t At) { Targets[Name].Hook = At; });
}

void Redirections::findReal() {
  for (auto &[Name, T] : Targets)
    if (!T.Real)
      T.Real = reinterpret_cast<uintptr_t>(realSymbol(Name.data()));
}

/// A slot that was not called through yet leads to the file's own table, from where the
/// loader would look the function up.
bool Redirections::mayLead(const LoadedModule &M, const char *Symbol, const Target &T,
                           uintptr_t Now) {
  if (!T.Real)
    return isAnnotation(Symbol) && Now == 0;
  return Now == T.Real || (M.contains(Now) && Now != M.find(Symbol));
}

void Redirections::apply(const LoadedModule &M) const {
  if (isOwnCode(M.low()))
    return;
  M.forEachImport([&](const char *Symbol, uintptr_t *Slot, bool ReadOnly) {
    auto Found = Targets.find(Symbol);
    if (Found != Targets.end() && mayLead(M, Symbol, Found->second, *Slot))
      leadSlot(Slot, Found->second.Hook, ReadOnly);
  });
}

void Redirections::applyToNew() {
  uint64_t Now = moduleGeneration();
  if (Now == Seen)
    return;
  Seen = Now;
  applyToAll();
}

void Redirections::applyToAll() {
  findReal();
  forEachModule([&](const LoadedModule &M) { apply(M); });
}

} // namespace tensorleak::probe
