//===-- PythonLock.cpp - Hooks: Python's lock is given up and taken again --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Python.h. The slots that are changed are those through which a module calls
// PyEval_SaveThread and PyEval_RestoreThread.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Slots.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Session.h"
#include "runtime/probe/torch/Python.h"
#include "runtime/trace/UserCode.h"

#include <cstring>

namespace tensorleak::probe {
namespace {

Hook SaveHook{"python-lock-given-up", "PyEval_SaveThread"};
Hook RestoreHook{"python-lock-taken", "PyEval_RestoreThread"};
KnownHook SaveKnown(SaveHook);

std::atomic<bool> Watching{false};

/// Of a thread that holds the lock.
uint32_t readStack(Session &S) {
  const PythonReader *Reader = PythonReader::find();
  uint64_t Hash = Reader ? Reader->stackHash() : 0;
  if (!Hash)
    return 0;
  auto Ran = [&] {
    return S.Sites.ranPython(Hash, S.TheSteps.tick(), S.TheSteps.generation(),
                             look(S.Trace.totals().Allocations));
  };
  if (std::optional<uint32_t> Known = Ran())
    return *Known;
  if (!S.Sites.hasRoomForPython())
    return 0;
  S.Sites.internPython(Hash, Reader->frames());
  return Ran().value_or(0);
}

void *onSave() {
  void *Real = SaveHook.enter();
  if (existingSession())
    guarded([](Session &S, ThreadState &Thread) {
      tablesOf(Thread, S.epoch());
      Thread.PythonStack = readStack(S);
      Thread.PythonLockGivenUp = true;
    });
  return reinterpret_cast<void *(*)()>(Real)();
}

void onRestore(void *State) {
  TheThread.PythonLockGivenUp = false;
  callReal<void>(RestoreHook, State);
}

struct Redirection {
  const char *Symbol;
  uintptr_t To;
};

} // namespace

void watchPythonIn(const LoadedModule &M) {
  const Redirection All[] = {{"PyEval_SaveThread", reinterpret_cast<uintptr_t>(&onSave)},
                             {"PyEval_RestoreThread", reinterpret_cast<uintptr_t>(&onRestore)}};
  // Python itself gives its lock up to read a file and the like.
  if (isOwnCode(M.low()) || M.find("PyEval_SaveThread"))
    return;
  M.forEachImport([&](const char *Symbol, uintptr_t *Slot, bool ReadOnly) {
    for (const Redirection &R : All)
      if (!std::strcmp(Symbol, R.Symbol)) {
        leadSlot(Slot, R.To, ReadOnly);
        Watching = true;
      }
  });
}

} // namespace tensorleak::probe

using namespace tensorleak::probe;

/// torch::autograd::set_default_engine_stub: PyTorch calls it once, when it is imported. A
/// program's first operator would come too late: its stack is read before it allocates.
TENSORLEAK_HOOK(PythonImport, "pytorch-import",
                _ZN5torch8autograd23set_default_engine_stubEPFRNS0_6EngineEvE)
TENSORLEAK_EXPORT void _ZN5torch8autograd23set_default_engine_stubEPFRNS0_6EngineEvE(void *Engine) {
  callReal<void>(PythonImport, Engine);
  guarded([](Session &, ThreadState &) {
    for (const LoadedModule &M : loadedModules())
      watchPythonIn(M);
  });
}

namespace tensorleak::probe {

uint32_t pythonStackOf(ThreadState &Thread) {
  if (Thread.PythonLockGivenUp)
    return Thread.PythonStack;
  if (!Watching.load(std::memory_order_relaxed))
    return 0;
  const PythonReader *Reader = PythonReader::find();
  Session *S = Reader && Reader->holdsLock() ? existingSession() : nullptr;
  return S ? readStack(*S) : 0;
}

} // namespace tensorleak::probe
