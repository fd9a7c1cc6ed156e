//===-- ThreadState.h - What the probe keeps per thread -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guard against recursion, the open operators, and the caches that spare the
// shared tables. Plain data in initial-exec TLS: usable in a signal handler and
// during a thread's end. (The probe that enters a running program asks the loader for it.)
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_THREADSTATE_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_THREADSTATE_H

#include "runtime/probe/core/StackMemo.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tensorleak::probe {

struct NodeChunk;
struct PlacedPoint;

enum class ScopeKind : uint8_t { Function, Backward, User };

/// One operator, backward function or user scope that is open.
struct OpenScope {
  const char *Name; ///< valid while the scope is open, not longer; null for a node
  ScopeKind Kind;
  bool AddedGradient; ///< of AccumulateGrad: there was a gradient to add to
  uintptr_t Frame;    ///< of the engine's call that evaluates the node; 0 if LibTorch opened it
};

/// The storages that an outermost operator made and still owns.
struct Outputs {
  static constexpr unsigned Max = 8;
  struct Item {
    void *Data;
    uint64_t Bytes;
    uint32_t SiteId;
  };
  uint32_t Count;
  Item Items[Max];
};

struct OpenScopes {
  static constexpr unsigned Max = 64;
  uint32_t Depth;          ///< open scopes, also those beyond Max
  uint32_t Functions;      ///< open scopes other than user scopes
  uint32_t Backwards;      ///< open scopes of backward functions
  uint32_t OptimizerSteps; ///< open user scopes of Python optimizers' step
  OpenScope Stack[Max];
  uint64_t LastNumber;   ///< of the thread's last allocation
  uint64_t StartNumber;  ///< LastNumber when the outermost operator began
  Outputs Current, Last; ///< of the open and of the previous outermost operator
};

/// What a thread freed since its last allocation and is not recorded, for the case that it ends.
struct YoungFrees {
  static constexpr unsigned Max = 4096;
  struct Item {
    uint64_t Number, Bytes;
    uintptr_t Address;
    uint32_t SiteId, Tick, Generation;
    uint32_t FreedTick;
    uint64_t FreedAt; ///< allocations before the free
  };
  Item Items[Max];
};

/// Large caches, in pages of their own; kept for another thread afterwards.
struct ThreadTables {
  static constexpr unsigned SiteWays = 2048, NameWays = 128, MaxName = 56;
  struct CachedSite {
    uint64_t Key;
    uint32_t ForwardAndOne; ///< as in trace::Site
    uint32_t Python;        ///< as in trace::Site
    uint32_t Id;
  };
  struct CachedName {
    const char *At;
    uint32_t Id;
    char Name[MaxName];
  };
  StackMemo Memo;
  CachedSite Sites[SiteWays];
  CachedName Names[NameWays];
  YoungFrees Young; ///< ThreadState::YoungFreed of them
  /// Of the thread that has them now, by which its thread-local variables are found; 0 if none
  /// has.
  uintptr_t ThreadPointer;
  ThreadTables *NextFree;
  ThreadTables *NextOfAll; ///< of all that there ever were
};

struct ThreadState {
  bool Inside;       ///< the probe is at work on this thread
  uint32_t Epoch;    ///< of the session that the caches belong to
  uint64_t KernelId; ///< gettid()
  /// Operators and frees that were not added to the totals yet.
  uint32_t PendingOps, PendingFrees;
  uint64_t TorchId;    ///< RecordFunction::currentThreadId(), 0 if unknown
  int64_t PendingHost; ///< live bytes of the host that were not added to Peaks yet
  ThreadTables *Tables;
  NodeChunk *MadeIn, *FreedIn, *RunIn; ///< the node chunks used last
  uint32_t RunningSiteAndOne;          ///< site + 1 of the node that runs backward, 0 if unknown
  uintptr_t BackwardFrame;             ///< frame of the outermost Engine::execute, or 0
  uintptr_t StepFrame;                 ///< frame of an optimizer's step, or 0
  PlacedPoint *Stepping;               ///< a clock point that is being stepped over
  uint32_t CallbacksSeen;              ///< changes of LibTorch's callbacks, when it last looked
  unsigned InForkGate;                 ///< how often it does what no fork may come between
  bool PythonLockGivenUp;              ///< the thread runs Python, and let others go on
  uint32_t PythonStack;                ///< what it ran then, as in trace::Site
  uint32_t LastSite;                   ///< of its last allocation
  uint32_t FreedSince;                 ///< recorded objects that it freed since then
  uint32_t YoungFreed;                 ///< others that it freed since then, up to YoungFrees::Max
  OpenScopes Scopes;
};

/// A library that enters a running program finds no room in the static block.
#ifdef TENSORLEAK_ATTACHED
#define TENSORLEAK_TLS __attribute__((tls_model("global-dynamic")))
#else
#define TENSORLEAK_TLS __attribute__((tls_model("initial-exec")))
#endif
extern thread_local ThreadState TheThread TENSORLEAK_TLS;

/// Called when a thread ends that has tables; null if nobody wants to know.
extern std::atomic<void (*)(ThreadState &Thread)> AtEndOfThread;

/// The caches of this thread for session \p Epoch, emptied if they are older.
ThreadTables &newTablesOf(ThreadState &Thread, uint32_t Epoch);
inline ThreadTables &tablesOf(ThreadState &Thread, uint32_t Epoch) {
  return Thread.Tables && Thread.Epoch == Epoch ? *Thread.Tables : newTablesOf(Thread, Epoch);
}

/// Whether a thread beside this one, which has not ended, has tables.
bool othersAllocate();

/// Does what no thread may wait for later. While there is one thread.
void prepareThreads();

/// In the child of a fork(): only the thread that forked is left.
void threadsAfterFork();

/// The first of all tables there are; follow NextOfAll. Without a lock.
const ThreadTables *allTables();

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_THREADSTATE_H
