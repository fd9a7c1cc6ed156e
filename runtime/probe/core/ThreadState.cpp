//===-- ThreadState.cpp - What the probe keeps per thread -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ThreadState.h. Programs make threads for single requests, so the caches of
// a thread that ends go to the next one that begins.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/ThreadState.h"
#include "runtime/probe/core/PagedMemory.h"

#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tensorleak::probe {

thread_local ThreadState TheThread;
std::atomic<void (*)(ThreadState &Thread)> AtEndOfThread{nullptr};

namespace {

std::mutex FreeMutex;
ThreadTables *FreeTables;
std::atomic<ThreadTables *> AllTables{nullptr};

/// Zeroes by giving the pages back.
void empty(ThreadTables &Tables) {
  ThreadTables *Next = Tables.NextOfAll;
  madvise(&Tables, sizeof(Tables), MADV_DONTNEED);
  Tables.NextOfAll = Next;
}

ThreadTables *newTables() {
  auto *New = static_cast<ThreadTables *>(mapPages(sizeof(ThreadTables)));
  New->NextOfAll = AllTables.load();
  while (!AllTables.compare_exchange_weak(New->NextOfAll, New))
    ;
  return New;
}

void giveBack(void *Tables) {
  if (auto Notify = AtEndOfThread.load())
    Notify(TheThread);
  TheThread.Tables = nullptr;
  std::lock_guard<std::mutex> Lock(FreeMutex);
  auto *Free = static_cast<ThreadTables *>(Tables);
  Free->Memo.forgetLast();
  Free->ThreadPointer = 0;
  Free->NextFree = FreeTables;
  FreeTables = Free;
}

/// Its destructor runs when a thread ends.
pthread_key_t endOfThread() {
  static pthread_key_t Key = [] {
    pthread_key_t New;
    pthread_key_create(&New, giveBack);
    return New;
  }();
  return Key;
}

ThreadTables *takeTables() {
  {
    std::lock_guard<std::mutex> Lock(FreeMutex);
    if (ThreadTables *Tables = FreeTables) {
      FreeTables = Tables->NextFree;
      empty(*Tables);
      return Tables;
    }
  }
  return newTables();
}

} // namespace

void threadsAfterFork() {
  // Whoever held it is not in this process, nor are the others that had tables.
  new (&FreeMutex) std::mutex;
  for (ThreadTables *T = AllTables.load(); T; T = T->NextOfAll)
    if (T != TheThread.Tables)
      T->ThreadPointer = 0;
}

void prepareThreads() { endOfThread(); }

const ThreadTables *allTables() { return AllTables.load(); }

bool othersAllocate() {
  for (const ThreadTables *T = allTables(); T; T = T->NextOfAll)
    if (T->ThreadPointer && T != TheThread.Tables)
      return true;
  return false;
}

/// In glibc's x86-64 a thread's handle is its thread pointer.
static void identify(ThreadState &Thread, uint32_t Epoch) {
  Thread.KernelId = uint64_t(syscall(SYS_gettid));
  Thread.Epoch = Epoch;
  Thread.Tables->ThreadPointer = uintptr_t(pthread_self());
}

ThreadTables &newTablesOf(ThreadState &Thread, uint32_t Epoch) {
  if (!Thread.Tables) {
    Thread.Tables = takeTables();
    identify(Thread, Epoch);
    pthread_setspecific(endOfThread(), Thread.Tables);
  }
  if (Thread.Epoch != Epoch) {
    empty(*Thread.Tables);
    Thread.MadeIn = Thread.FreedIn = Thread.RunIn = nullptr;
    Thread.RunningSiteAndOne = 0;
    Thread.PythonStack = 0;
    Thread.PendingHost = Thread.PendingOps = Thread.PendingFrees = 0;
    Thread.LastSite = Thread.FreedSince = Thread.YoungFreed = 0;
    // Names of operators that nobody saw the end of, between two sessions, are gone.
    Thread.Scopes.Depth = Thread.Scopes.Functions = 0;
    Thread.Scopes.Backwards = Thread.Scopes.OptimizerSteps = 0;
    Thread.PythonLockGivenUp = false;
    identify(Thread, Epoch);
  }
  return *Thread.Tables;
}

} // namespace tensorleak::probe
