//===-- Session.h - One trace and all that is counted for it --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the parts of the probe. There is at most one session per process; it
// begins with the first thing worth recording and ends before static destructors
// run. A forked child begins its own.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_SESSION_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_SESSION_H

#include "runtime/probe/search/Census.h"
#include "runtime/probe/search/Snapshot.h"
#include "runtime/probe/session/AssertedScopes.h"
#include "runtime/probe/session/Sources.h"
#include "runtime/probe/tables/DevicePools.h"
#include "runtime/probe/tables/LiveTable.h"
#include "runtime/probe/tables/NodeLog.h"
#include "runtime/probe/tables/Peaks.h"
#include "runtime/probe/tables/Pulses.h"
#include "runtime/probe/tables/Sites.h"
#include "runtime/probe/tables/Steps.h"
#include "runtime/trace/ProbeConfig.h"

#include <cerrno>
#include <sys/types.h>

namespace tensorleak::probe {

/// What fewer rounds keep is not judged.
constexpr uint64_t MinStepsOfLoop = 20;

class Session {
public:
  Session(const trace::ProbeConfig &Config, uint32_t Epoch);

  Recorder Trace;
  SiteTable Sites{Trace, sawModule};
  LiveTable Live;
  Peaks ThePeaks{Trace, Sites};
  DevicePools Pools{Trace, Live, Sites};
  Steps TheSteps{Trace};
  Pulses ThePulses;
  NodeLog Nodes;
  Census TheCensus{Trace, Live, Nodes};
  Snapshot TheSnapshot{Trace, Live, Sites, Nodes, TheCensus.Classes};

  bool isRecording() const { return Recording.load(std::memory_order_acquire); }
  /// Records no more, and does not end the trace either.
  void stop() { Recording = false; }
  uint32_t epoch() const { return Epoch; }
  pid_t pid() const { return Pid; }

  void allocated(ThreadState &Thread, void *Data, uint64_t Bytes, Device Where);
  /// A block of the heap that was chosen by chance, and the bytes that it stands for.
  void sampled(ThreadState &Thread, void *Data, uint64_t Stands);
  void freed(ThreadState &Thread, void *Data);
  /// The same for what malloc or new gave; false if that was not reported as allocated.
  bool heapFreed(ThreadState &Thread, void *Data);
  /// After the end was written, as in the destructor of a global variable.
  void freedLate(void *Data);
  void nodeMade(ThreadState &Thread, uint64_t Number);
  void nodeFreed(ThreadState &Thread, const NodeHead &Node);
  /// It allocates no more.
  void threadEnds(ThreadState &Thread);
  void outOfMemory(Device Where, uint64_t Bytes);
  void expectRetained(const void *Data);
  void boundary(const BoundarySource &Source);
  /// A scope begins; returns its number.
  uint64_t beginScope(trace::Assertion Record);
  void endRound(uint64_t Id);
  /// Writes, if it is to be judged, all that is needed for it. Nothing if it is not open.
  std::optional<AssertedScope> endScope(uint64_t Id, bool IsJudged);
  /// Looks for who keeps what grew in the rounds of a scope.
  void searchHolders(const AssertedScope &Scope);
  /// Adds to the totals what this thread counted by itself: a counter that all threads write
  /// at each operator would be dear.
  void reportPending(ThreadState &Thread);
  /// Writes what is left. Once; later events are not recorded.
  void finish(trace::EndKind Kind, int Code);

  void sawOperator(ThreadState &Thread) {
    if (Thread.Epoch != Epoch)
      tablesOf(Thread, Epoch);
    if (++Thread.PendingOps == EventsAtOnce)
      reportPending(Thread);
  }

private:
  static constexpr uint32_t EventsAtOnce = 64;

  void writeProcess();
  void writeBorn(const LiveObject &Object);
  void writeDied(const LiveObject &Object);
  void retire(const LiveObject &Object);
  void retireBy(ThreadState &Thread, const LiveObject &Object);
  void recordSurvivors(uint32_t Generation);
  void beginGeneration(uint32_t Generation);
  void writeLargeRecords(uint32_t Steps, uint32_t Generation);
  void searchIfDue(uint32_t Steps, uint32_t Generation, bool IsDue);
  void growOlder(uint32_t Generation, bool IsLongPause);
  void scopeBoundary(uint64_t Id, trace::AssertionKind Kind);
  void writeState(bool IsEnd);
  void searchAtEnd();
  void writeSurroundings(bool OnlyNew);
  void writeHeap();

  std::atomic<bool> Recording{false};
  const uint32_t Epoch;
  const pid_t Pid;
  uint64_t Samples = 0; ///< of the heap
  std::mutex StateMutex;
  Schedule TheSchedule;
  AgeMarks TheAgeMarks;
  AssertedScopes OpenScopes;
  uint64_t FilesAtHooks = ~uint64_t(0); ///< moduleGeneration() when hooks were written last
};

/// The session that records now, begun if need be; null if the probe is off, the file
/// cannot be written, or the session is over.
Session *currentSession();
/// The session, if there is one, without beginning one.
Session *existingSession();

/// The same, as long as it records, and not in a process that was forked just now: locks may be
/// held there by threads that it does not have.
Session *recordingSession();

/// The configuration; null if the probe is off.
const trace::ProbeConfig *probeConfig();
/// The one in the file \p Path, or null; never deleted.
const trace::ProbeConfig *readConfig(const char *Path);

/// For the probe that enters a running program: from now on all is recorded in a session of
/// its own. False if the trace cannot be written.
bool beginWatching(const trace::ProbeConfig &Config);
/// The hooks do nothing more, until watching begins again.
void endWatching(trace::EndKind Kind);

/// Something in the probe failed: record no more, disturb nobody.
void giveUp() noexcept;

/// From now on LibTorch, if loaded, is ready to be called.
void mainHasBegun();

/// Runs \p Work(session, thread) unless there is no session or the probe is already at work on
/// this thread. Whether it ran.
template <typename F> bool guardedIn(Session *(*TheSession)(), F Work) noexcept {
  ThreadState &Thread = TheThread;
  if (Thread.Inside)
    return false;
  int SavedErrno = errno;
  Thread.Inside = true;
  Session *S = nullptr;
  try {
    if ((S = TheSession()))
      Work(*S, Thread);
  } catch (...) {
    giveUp();
  }
  Thread.Inside = false;
  errno = SavedErrno;
  return S != nullptr;
}

/// The way from every hook into the probe; begins a session if there is none.
template <typename F> void guarded(F Work) noexcept { guardedIn(currentSession, Work); }

/// The same for what the loader, LibTorch or any library may do while it holds a lock: nothing is
/// begun and nobody asked. \p Work waits for no lock that is held while others are waited for.
template <typename F> bool guardedAnywhere(F Work) noexcept {
  return guardedIn(recordingSession, Work);
}

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_SESSION_H
