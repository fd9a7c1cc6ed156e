//===-- Sources.h - What a session asks of the hooks that feed it ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared here and defined beside the hooks, in probe/torch: the session includes
// nothing of theirs.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_SOURCES_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_SOURCES_H

#include <cstdint>
#include <string>

namespace tensorleak::probe {

class LoadedModule;
struct ThreadState;

/// Registers the callbacks for operators if LibTorch is loaded and has none of ours yet.
void installOpCallbacks();
bool opCallbacksInstalled();
/// LibTorch's callbacks have changed, by the probe or the program: each thread looks at them anew.
void noteCallbacksChanged();
/// Takes them back.
void removeOpCallbacks();

/// LibTorch's own number of this thread, or 0.
uint64_t torchThreadId(ThreadState &Thread);

/// Prepares all that watches what the code of \p M does.
void sawModule(const LoadedModule &M);

/// From now on what \p M takes from malloc and new by itself is watched, if it is the user's.
void watchHeapOf(const LoadedModule &M);

/// Leads the calls by which \p M gives up and takes Python's lock (GIL) to the probe.
void watchPythonIn(const LoadedModule &M);

/// The number of what Python runs on this thread, as in SiteTable::internPython; 0 if
/// nothing, or if it cannot be known.
uint32_t pythonStackOf(ThreadState &Thread);

/// Who serves malloc in this process.
struct HeapAllocator {
  std::string File;       ///< the name of its library, or of the program
  bool IsGlibcs = false;  ///< so the heap is laid out as the search for holders expects it
  bool IsWatched = false; ///< calls come by the probe; not if a library before it serves them
};
HeapAllocator heapAllocator();

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_SOURCES_H
