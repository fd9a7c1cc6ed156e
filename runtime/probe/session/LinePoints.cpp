//===-- LinePoints.cpp - Which lines ran, and how often --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LinePoints.h. The trap is synchronous: the thread is at the beginning of a
// statement of the program and holds none of the probe's locks, so the handler
// may do what a call could do.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/LinePoints.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/session/Session.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fstream>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

constexpr uint8_t Int3 = 0xCC;
constexpr greg_t TrapFlag = 0x100;

bool protectPage(uint8_t *At, int Protection) {
  auto Page = reinterpret_cast<uintptr_t>(At) & ~uintptr_t(sysconf(_SC_PAGESIZE) - 1);
  return mprotect(reinterpret_cast<void *>(Page), 1, Protection) == 0;
}

bool makeWritable(uint8_t *At) { return protectPage(At, PROT_READ | PROT_WRITE | PROT_EXEC); }

greg_t *registersOf(void *Context) { return static_cast<ucontext_t *>(Context)->uc_mcontext.gregs; }

uint8_t *nextInstruction(void *Context) {
  return reinterpret_cast<uint8_t *>(registersOf(Context)[REG_RIP]);
}

/// Whether the program has an instruction of its own before \p Next that traps: int3 in either
/// form, or int1.
bool endsInTrap(const uint8_t *Next) {
  constexpr uint8_t Int1 = 0xF1, Int = 0xCD;
  auto InPage = reinterpret_cast<uintptr_t>(Next) & (uintptr_t(sysconf(_SC_PAGESIZE)) - 1);
  if (InPage < 2)
    return false;
  return Next[-1] == Int3 || Next[-1] == Int1 || (Next[-2] == Int && Next[-1] == 3);
}

/// A trap of the processor's that no instruction asked for. A virtual machine may deliver the end
/// of a single step twice, or late: passed on, it would end the program.
bool isStray(const siginfo_t *Info, void *Context) {
  if (Info->si_code == TRAP_TRACE)
    return true;
  bool OfProcessor = Info->si_code == SI_KERNEL || Info->si_code == TRAP_BRKPT;
  return OfProcessor && !endsInTrap(nextInstruction(Context));
}

void poke(uint8_t *At, uint8_t Byte) { __atomic_store_n(At, Byte, __ATOMIC_SEQ_CST); }

void trapped(int Signal, siginfo_t *Info, void *Context) {
  linePoints().onTrap(Signal, Info, Context);
}

/// The signals that a thread keeps blocked, as a mask.
uint64_t blockedBy(const std::string &Thread) {
  std::ifstream Status("/proc/self/task/" + Thread + "/status");
  const std::string Field = "SigBlk:";
  for (std::string Line; std::getline(Status, Line);)
    if (Line.rfind(Field, 0) == 0)
      return std::stoull(Line.substr(Field.size()), nullptr, 16);
  return 0;
}

/// A thread of the program that was entered, but for the one that asks, would be killed by a point.
bool isTrapBlocked() {
  DIR *Threads = opendir("/proc/self/task");
  if (!Threads)
    return true;
  const std::string Own = std::to_string(gettid());
  bool IsBlocked = false;
  while (const dirent *Entry = readdir(Threads))
    if (Entry->d_name[0] != '.' && Own != Entry->d_name)
      IsBlocked |= (blockedBy(Entry->d_name) >> (SIGTRAP - 1) & 1) != 0;
  closedir(Threads);
  return IsBlocked;
}

/// The thread that was made to load the probe blocks all signals until it goes on.
bool staysTrapBlocked() {
  constexpr unsigned Looks = 40, Pause = 25000; // microseconds
  for (unsigned I = 0; I < Looks && isTrapBlocked(); ++I)
    usleep(Pause);
  return isTrapBlocked();
}

} // namespace

LinePoints &linePoints() {
  // Never destroyed: points are hit while static destructors run.
  static auto *Points = new LinePoints;
  return *Points;
}

void LinePoints::arm(PlacedPoint &P) {
  ++Arming;
  if (!Stopped) {
    P.Armed = true;
    poke(P.At, Int3);
  }
  --Arming;
}

void LinePoints::place(PlacedPoint &P, const LoadedModule &M) {
  auto *At = reinterpret_cast<uint8_t *>(M.base() + P.Point.Address);
  if (!M.isCode(reinterpret_cast<uintptr_t>(At)) || !makeWritable(At)) {
    P.Refused = true;
    return;
  }
  // Two points may share an address; both then know the true byte.
  PlacedPoint *Other = pointAt(At);
  P.Original = Other ? Other->Original : *At;
  P.At = At;
  arm(P);
}

PlacedPoint *LinePoints::pointAt(const uint8_t *Address) {
  if (LoaderWatch.At == Address)
    return &LoaderWatch;
  for (PlacedPoint &P : Points)
    if (P.At == Address)
      return &P;
  return nullptr;
}

void LinePoints::placeNew() {
  uint64_t Now = moduleGeneration();
  if (Points.empty() || Now == SeenModules)
    return;
  SeenModules = Now;
  PageVector<LoadedModule> Loaded = loadedModules();
  for (PlacedPoint &P : Points) {
    const LoadedModule *Home = nullptr;
    for (const LoadedModule &M : Loaded)
      if (P.At ? M.contains(reinterpret_cast<uintptr_t>(P.At.load()))
               : realPath(M.path()) == P.Point.Module)
        Home = &M;
    if (!Home)
      P.At = nullptr;
    else if (!P.At && !P.Refused)
      place(P, *Home);
  }
}

/// Debuggers learn of loaded files by a breakpoint at this function, and so do we:
/// lines of a plugin are seen from its first instruction on.
bool LinePoints::watchLoader() {
  auto *At = reinterpret_cast<uint8_t *>(_r_debug.r_brk);
  if (!At || !makeWritable(At))
    return false;
  LoaderWatch.Point.Clock = true;
  LoaderWatch.Original = *At;
  LoaderWatch.At = At;
  arm(LoaderWatch);
  return true;
}

/// Where it was taken for an earlier watching, it still is ours.
void LinePoints::takeSignal() {
  struct sigaction Now = {}, Action = {};
  sigaction(SIGTRAP, nullptr, &Now);
  if (Now.sa_flags & SA_SIGINFO && Now.sa_sigaction == trapped)
    return;
  Action.sa_sigaction = trapped;
  Action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGTRAP, &Action, &Previous);
}

void LinePoints::start(const std::vector<trace::LinePoint> &Wanted) {
  Points = std::vector<PlacedPoint>(Wanted.size());
  Stopped = false;
  SeenModules = ~uint64_t(0);
  if (Wanted.empty())
    return;
  for (size_t I = 0; I < Wanted.size(); ++I) {
    Points[I].Point = Wanted[I];
    Points[I].Point.Module = realPath(Wanted[I].Module);
  }
  if (EntersRunningProgram && staysTrapBlocked()) {
    for (PlacedPoint &P : Points)
      P.Refused = true;
    return;
  }
  takeSignal();
  placeNew();
  auto IsMissing = [](const PlacedPoint &P) { return !P.At && !P.Refused; };
  if (!EntersRunningProgram && std::any_of(Points.begin(), Points.end(), IsMissing))
    watchLoader();
}

/// Of files that are still loaded.
void LinePoints::putBack() {
  forEachModule([this](const LoadedModule &M) {
    for (PlacedPoint &P : Points)
      if (uint8_t *At = P.At; At && M.isCode(reinterpret_cast<uintptr_t>(At)) && *At != P.Original)
        poke(At, P.Original);
  });
}

void LinePoints::sealPages() {
  forEachModule([this](const LoadedModule &M) {
    for (PlacedPoint &P : Points)
      if (uint8_t *At = P.At; At && M.isCode(reinterpret_cast<uintptr_t>(At)))
        protectPage(At, PROT_READ | PROT_EXEC);
  });
}

/// A handler that began before writes to the pages; one that begins later finds nothing to write.
void LinePoints::stop() {
  constexpr unsigned Pause = 100; // microseconds
  Stopped = true;
  while (Arming)
    usleep(Pause);
  putBack();
  while (InTrap)
    usleep(Pause);
  sealPages();
}

void LinePoints::rearm() {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (Stopped)
    return;
  placeNew();
  for (PlacedPoint &P : Points)
    if (!P.Point.Clock && P.At && !P.Armed)
      arm(P);
}

/// A round of a loop ends when a line of the group runs that ran in it already; one
/// line may have several addresses (the condition of a loop that was rotated).
void LinePoints::endRound(const PlacedPoint &P) {
  if (Session *S = currentSession())
    S->boundary({trace::BoundaryKind::LineClock, 0, {}, P.Point.Group});
  for (PlacedPoint &Other : Points)
    if (Other.Point.Group == P.Point.Group)
      Other.RanThisRound = false;
}

void LinePoints::count(PlacedPoint &P) {
  guarded([&](Session &S, ThreadState &) {
    if (P.Point.Clock && P.RanThisRound)
      endRound(P);
    P.RanThisRound = true;
    uint64_t Tick = S.TheSteps.tick(), Generation = S.TheSteps.generation();
    P.LastTick = Tick;
    P.LastSequence = look(S.Trace.totals().Allocations);
    if (bump(P.Hits) == 1) {
      P.FirstTick = Tick;
      P.FirstSequence = P.LastSequence;
    }
    P.GenerationsHit += P.LastGeneration != Generation;
    P.LastGeneration = Generation;
  });
}

void LinePoints::rearmClocks(uint8_t *At) {
  if (LoaderWatch.At == At)
    arm(LoaderWatch);
  for (PlacedPoint &P : Points)
    if (P.At == At && P.Point.Clock)
      arm(P);
}

/// Counts the points at \p At; true if one of them is to be set again at once.
bool LinePoints::hit(uint8_t *At) {
  bool Clock = LoaderWatch.At == At;
  if (Clock)
    // In the loader nobody waits: there is another chance at the next generation.
    if (std::unique_lock<std::mutex> Lock(Mutex, std::try_to_lock); Lock)
      placeNew();
  for (PlacedPoint &P : Points) {
    if (P.At != At)
      continue;
    Clock |= P.Point.Clock;
    if (P.Armed.exchange(false))
      count(P);
  }
  return Clock;
}

void LinePoints::endStep(void *Context) {
  registersOf(Context)[REG_EFL] &= ~TrapFlag;
  rearmClocks(TheThread.Stepping->At);
  TheThread.Stepping = nullptr;
}

/// The kernel says TRAP_TRACE of a step; where a virtual machine loses the processor's word for
/// it, the trap is known by where it is: not behind an int3.
bool LinePoints::isEndOfStep(const siginfo_t *Info, const uint8_t *At) {
  if (Info->si_code == TRAP_TRACE || !pointAt(At))
    return true;
  return TheThread.Stepping->At == At && *At != Int3;
}

void LinePoints::onTrap(int Signal, siginfo_t *Info, void *Context) {
  int SavedErrno = errno;
  ++InTrap;
  bool IsOurs = handleTrap(Info, Context);
  --InTrap;
  if (!IsOurs)
    chain(Signal, Info, Context);
  errno = SavedErrno;
}

bool LinePoints::handleTrap(const siginfo_t *Info, void *Context) {
  uint8_t *At = nextInstruction(Context) - 1;
  if (TheThread.Stepping) {
    bool IsAll = isEndOfStep(Info, At);
    endStep(Context);
    if (IsAll)
      return true;
  }
  PlacedPoint *P = Info->si_code == TRAP_TRACE ? nullptr : pointAt(At);
  if (!P)
    return false;
  --registersOf(Context)[REG_RIP];
  if (*At != P->Original)
    poke(At, P->Original);
  if (hit(At)) {
    TheThread.Stepping = P;
    registersOf(Context)[REG_EFL] |= TrapFlag;
  }
  return true;
}

void LinePoints::chain(int Signal, siginfo_t *Info, void *Context) {
  if (Previous.sa_flags & SA_SIGINFO && Previous.sa_sigaction)
    return Previous.sa_sigaction(Signal, Info, Context);
  if (Previous.sa_handler == SIG_IGN)
    return;
  if (Previous.sa_handler != SIG_DFL)
    return Previous.sa_handler(Signal);
  if (isStray(Info, Context))
    return;
  signal(Signal, SIG_DFL);
  raise(Signal);
}

void LinePoints::afterFork() {
  // Whoever held it is not in this process.
  new (&Mutex) std::mutex;
  Arming = InTrap = 0;
  // The child of a program that was entered is not watched: what is hit there is not set again.
  Stopped = EntersRunningProgram;
  for (PlacedPoint &P : Points) {
    P.Hits = P.GenerationsHit = 0;
    P.LastGeneration = ~uint64_t(0);
    P.RanThisRound = false;
  }
}

void LinePoints::write(Recorder &Trace) {
  for (const PlacedPoint &P : Points) {
    trace::PointState Record;
    Record.Id = P.Point.Id;
    Record.Status = P.Refused ? trace::PointStatus::Refused
                    : P.At    ? trace::PointStatus::Armed
                              : trace::PointStatus::NoModule;
    Record.Hits = look(P.Hits);
    Record.GenerationsHit = P.GenerationsHit;
    Record.FirstTick = P.FirstTick;
    Record.LastTick = P.LastTick;
    Record.FirstSequence = P.FirstSequence;
    Record.LastSequence = P.LastSequence;
    Trace.write(Record);
  }
}

} // namespace tensorleak::probe
