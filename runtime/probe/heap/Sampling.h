//===-- Sampling.h - Blocks of the heap that chance chooses -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host's memory goes beside tensors: every byte that malloc hands out is chosen with the
// same probability, as in tcmalloc's and jemalloc's heap profilers, and with it its block. The
// more there were, the rarer they become: what is written grows with the logarithm of what is
// allocated.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_HEAP_SAMPLING_H
#define TENSORLEAK_RUNTIME_PROBE_HEAP_SAMPLING_H

#include "runtime/probe/core/Modules.h"
#include "runtime/probe/core/ThreadState.h"

namespace tensorleak::probe {

/// What a thread still allocates until its next byte is chosen.
struct SampleCountdown {
  int64_t Left;
  uint64_t Mean;   ///< bytes between two that are chosen, when this one was drawn
  uint64_t Random; ///< the state of the generator; 0 at first
};
extern thread_local SampleCountdown TheCountdown TENSORLEAK_TLS;

/// How many bytes a block of \p Bytes stands for that was chosen where every so many are.
uint64_t standsFor(uint64_t Bytes, uint64_t Mean);

/// Draws the next distance; exponential, so that blocks that come in turns are not favoured.
int64_t nextDistance(SampleCountdown &C, uint64_t Mean);

/// A byte of the block is the one; \p Caller took it.
void sampleHere(void *Data, size_t Bytes, const void *Caller);

/// Every block of the process that is not watched comes by: hence inline.
inline void passSample(void *Data, size_t Bytes, const void *Caller) {
  if (EntersRunningProgram) // not every free comes by there
    return;
  if (__builtin_expect((TheCountdown.Left -= int64_t(Bytes)) < 0, false))
    sampleHere(Data, Bytes, Caller);
}

/// Hands it to the session; false if there is none, or the caller is of no interest.
bool heapSampled(void *Data, uint64_t Stands, const void *Caller);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_HEAP_SAMPLING_H
