//===-- EndedThreads.h - What threads kept until they ended -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread frees what it keeps in variables of its own as it ends. Where others of the same loop
// go on, that hides that all of them keep more in every round.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ENDEDTHREADS_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ENDEDTHREADS_H

#include "runtime/replay/facts/Facts.h"

namespace tensorleak {

/// Takes what a thread freed as it ended to be alive still, at the sites of \p Facts, whose rounds
/// are known, where that grew until then. Not where the thread allocated something else last: it
/// may have made that of what it kept.
void keepWhatEndedThreadsKept(const Recording &R, RunFacts &Facts);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ENDEDTHREADS_H
