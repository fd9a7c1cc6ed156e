//===-- EndedThreads.cpp - What a thread frees as it ends -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of Session.h. Replay asks what a thread still had when it allocated for the last time.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Session.h"

namespace tensorleak::probe {

void Session::retireBy(ThreadState &Thread, const LiveObject &O) {
  retire(O);
  if (!O.Recorded && Thread.YoungFreed < YoungFrees::Max)
    Thread.Tables->Young.Items[Thread.YoungFreed++] = {O.Number,
                                                       O.Bytes,
                                                       O.Address,
                                                       O.SiteId,
                                                       O.Tick,
                                                       O.Generation,
                                                       static_cast<uint32_t>(TheSteps.tick()),
                                                       look(Trace.totals().Allocations)};
}

/// Where what it freed shows that it lived for long, the youngest are written too.
void Session::threadEnds(ThreadState &Thread) {
  reportPending(Thread);
  if (Thread.FreedSince < MinStepsOfLoop)
    return;
  for (uint32_t I = 0; I < Thread.YoungFreed; ++I) {
    const YoungFrees::Item &Y = Thread.Tables->Young.Items[I];
    LiveObject Object{Y.Address, Y.Number, Y.Bytes, Y.SiteId, Y.Tick, Y.Generation};
    writeBorn(Object);
    Trace.write(trace::Died{Y.Number, Y.FreedTick, Y.FreedAt, Thread.KernelId});
  }
  Trace.write(trace::ThreadEnd{Thread.KernelId, look(Trace.totals().Allocations),
                               Thread.Scopes.LastNumber, Thread.LastSite});
}

} // namespace tensorleak::probe
