//===-- ScopeOutputs.cpp - Outputs that could have been made in place -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ScopeOutputs.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/ScopeOutputs.h"

namespace tensorleak::probe {

void noteOutput(OpenScopes &Scopes, void *Data, uint64_t Bytes, uint32_t SiteId) {
  Outputs &Out = Scopes.Current;
  if (Scopes.Functions && Out.Count < Outputs::Max)
    Out.Items[Out.Count++] = {Data, Bytes, SiteId};
}

void noteFree(OpenScopes &Scopes, const LiveObject &Gone, SiteTable &Sites) {
  Outputs &Out = Scopes.Functions ? Scopes.Current : Scopes.Last;
  auto *Address = reinterpret_cast<void *>(Gone.Address);
  for (uint32_t I = 0; I < Out.Count; ++I)
    if (Out.Items[I].Data == Address) {
      Out.Items[I] = Out.Items[--Out.Count];
      return;
    }
  // What another thread made meanwhile is no evidence.
  if (Scopes.Functions || Gone.Number > Scopes.StartNumber)
    return;
  for (uint32_t I = 0; I < Out.Count; ++I)
    if (Out.Items[I].Bytes == Gone.Bytes) {
      bump(Sites[Out.Items[I].SiteId].InPlaceCandidates);
      bump(Sites[Out.Items[I].SiteId].InPlaceBytes, Gone.Bytes);
      Out.Count = 0;
      return;
    }
}

} // namespace tensorleak::probe
