//===-- Pulses.cpp - When each site allocated -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pulses.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/Pulses.h"
#include "runtime/probe/core/Clock.h"
#include "runtime/probe/core/PagedMemory.h"

#include <algorithm>
#include <iterator>

namespace tensorleak::probe {

Pulses::Pulses() : Begin(microseconds()) {}

uint64_t Pulses::elapsed() const { return microseconds() - Begin; }

Pulses::Pulse *Pulses::pulseOf(SiteState &Site, uint32_t SiteId) {
  if (!All)
    All = static_cast<Pulse *>(mapPages(MaxSites * sizeof(Pulse)));
  if (!Site.PulseAndOne) {
    if (Used == MaxSites)
      return nullptr;
    Site.PulseAndOne = ++Used;
    All[Used - 1].SiteId = SiteId;
    All[Used - 1].Stride = 1;
    All[Used - 1].First = elapsed();
  }
  return &All[Site.PulseAndOne - 1];
}

/// Every second value stays.
void Pulses::halve(Pulse &P) {
  for (unsigned I = 0; I < Room / 2; ++I)
    P.Sequences[I] = P.Sequences[2 * I + 1];
  std::fill(P.Sequences + Room / 2, std::end(P.Sequences), 0);
  P.Stride *= 2;
}

/// Threads may come here in another order than they allocated in.
void Pulses::note(SiteState &Site, uint32_t SiteId, uint64_t Count, uint64_t Sequence) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Pulse *P = pulseOf(Site, SiteId);
  while (P && Count / P->Stride > Room)
    halve(*P);
  __atomic_store_n(&Site.PulseMask, P ? P->Stride - 1 : ~uint64_t(0), __ATOMIC_RELAXED);
  if (!P || Count % P->Stride)
    return;
  P->Sequences[Count / P->Stride - 1] = Sequence;
  P->Last = elapsed();
}

void Pulses::write(Recorder &Trace) {
  std::lock_guard<std::mutex> Lock(Mutex);
  for (const Pulse *P = All; P != All + Used; ++P) {
    const uint64_t *End = std::end(P->Sequences);
    while (End != P->Sequences && !End[-1])
      --End;
    Trace.write(trace::SitePulse{P->SiteId, P->Stride, {P->Sequences, End}, P->First, P->Last});
  }
}

} // namespace tensorleak::probe
