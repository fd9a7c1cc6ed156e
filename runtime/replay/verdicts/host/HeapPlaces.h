//===-- HeapPlaces.h - From which places the heap grows ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By samples of the heap, beside what is traced by itself: what the user's code keeps in small
// blocks, and what libraries keep.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_HOST_HEAPPLACES_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_HOST_HEAPPLACES_H

#include "runtime/replay/verdicts/Matcher.h"

#include <string>
#include <vector>

namespace tensorleak {

/// Those that grow, by the program's clock or their own loop's; without what belongs to tensors and
/// graphs that pile up.
std::vector<SiteGrowth> growingHeapPlaces(const RunFacts &Run);

/// Whether the program answers for it: its code asks for the memory, holds it, or lost it.
bool isProgramsOwn(const SiteGrowth &G, const RunFacts &Run);

/// "12 KiB by libdnnl.so.2 (aten::conv1d, app.cpp:9): a library's cache, still filling: at least
/// 120 distinct keys in 150 steps", for each, what takes most first.
std::vector<std::string> libraryGrowth(const RunFacts &Run);

/// What such places gain per step of the program's clock.
int64_t bytesByProgram(const RunFacts &Run);
int64_t bytesByLibraries(const RunFacts &Run);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_HOST_HEAPPLACES_H
