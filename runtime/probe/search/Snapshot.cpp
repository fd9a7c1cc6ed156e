//===-- Snapshot.cpp - A search in a copy of the process ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Snapshot.h. The copy has one thread, and any lock may be held for ever in it:
// it allocates pages only and writes into memory that both share.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/Snapshot.h"
#include "runtime/probe/core/Clock.h"
#include "runtime/probe/search/ObjectClass.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

namespace tensorleak::probe {
namespace {

/// A copy's page tables take about 8 ms to make per GiB; the pause must stay short.
constexpr uint64_t MaxResidentBytes = uint64_t(4) << 30;
/// Times are the copy's CPU time, so that a search that ends on an idle machine ends on a loaded
/// one: by the clock it may take so many times as long.
constexpr unsigned MaxSeconds = 20, MaxSlowdown = 4;
/// For how long a program of one thread waits at a doubling of its steps for the search of the
/// one before: a short loop would be over otherwise, with its variables.
constexpr unsigned PatienceMilliseconds = 1000;

uint64_t millisecondsOn(clockid_t Clock) {
  timespec Time{};
  if (clock_gettime(Clock, &Time) != 0)
    return 0;
  return uint64_t(Time.tv_sec) * 1000 + uint64_t(Time.tv_nsec) / 1000000;
}

uint64_t residentBytes() {
  unsigned long Size = 0, Resident = 0;
  FILE *File = std::fopen("/proc/self/statm", "re");
  if (!File)
    return 0;
  int Got = std::fscanf(File, "%lu %lu", &Size, &Resident);
  std::fclose(File);
  return Got == 2 ? Resident * uint64_t(sysconf(_SC_PAGESIZE)) : 0;
}

/// The program's handlers must not run in a copy of it.
void leaveSignalsAlone() {
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM, SIGTERM, SIGINT,
                     SIGHUP, SIGUSR1, SIGUSR2})
    signal(Signal, SIG_DFL);
  sigset_t All;
  sigfillset(&All);
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &All, nullptr, 8);
}

/// In the copy: the process that it is a copy of, and how often it was looked for.
pid_t Original;
volatile unsigned Looks;
constexpr unsigned LooksPerSecond = 5;

void lookForOriginal(int) {
  Looks = Looks + 1;
  if (getppid() != Original || Looks > MaxSlowdown * MaxSeconds * LooksPerSecond ||
      millisecondsOn(CLOCK_PROCESS_CPUTIME_ID) > MaxSeconds * 1000)
    syscall(SYS_exit_group, 1);
}

/// The copy ends soon after the process, and in any case some time later. The kernel's own
/// signal for that (PR_SET_PDEATHSIG) comes when the thread ends that made the copy, which may be
/// one of many that serve a request each.
void endWithOriginal() {
  struct sigaction Handler = {};
  Handler.sa_handler = lookForOriginal;
  Handler.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &Handler, nullptr);
  itimerval Every{{0, 1000000 / LooksPerSecond}, {0, 1000000 / LooksPerSecond}};
  setitimer(ITIMER_REAL, &Every, nullptr);
}

struct FrameWalk {
  std::vector<StackFrame> &Out;
  const std::vector<MappedFile> &Files;
};

/// libgcc gives, for a frame, where the one below it ends: there this one begins.
_Unwind_Reason_Code addFrame(_Unwind_Context *Context, void *Data) {
  constexpr size_t MaxFrames = 256;
  auto &Walk = *static_cast<FrameWalk *>(Data);
  uintptr_t Begin = _Unwind_GetCFA(Context), Pc = _Unwind_GetIP(Context);
  if (!Pc || Walk.Out.size() == MaxFrames)
    return _URC_END_OF_STACK;
  if (!Walk.Out.empty())
    Walk.Out.back().End = Begin;
  const MappedFile *File = fileAt(Walk.Files, Pc);
  bool IsUser = File && File->IsUser;
  StackFrame Frame;
  Frame.Pc = Pc;
  Frame.StackPointer = Frame.End = Begin;
  Frame.IsUser = IsUser;
  for (unsigned I = 0; I < std::size(Frame.Registers); ++I)
    Frame.Registers[I] = _Unwind_GetGR(Context, int(StackFrame::SavedRegisters[I]));
  Walk.Out.push_back(Frame);
  return _URC_NO_REASON;
}

} // namespace

std::vector<StackFrame> framesOfThisThread(const std::vector<MappedFile> &Files) {
  std::vector<StackFrame> Frames;
  FrameWalk Walk{Frames, Files};
  _Unwind_Backtrace(addFrame, &Walk);
  // The unwinder's own frame has no place of its own.
  Frames.erase(std::remove_if(Frames.begin(), Frames.end(),
                              [](const StackFrame &F) { return F.StackPointer >= F.End; }),
               Frames.end());
  return Frames;
}

/// More nodes were made than freed since the last look: cheap, and only a reason to
/// look closer.
bool Snapshot::nodesPileUp() {
  const trace::Totals &Totals = Trace.totals();
  uint64_t Alive = look(Totals.NodesMade) - look(Totals.NodesFreed);
  bool More = Alive > NodesAlive + 8;
  NodesAlive = Alive;
  return More;
}

const char *Snapshot::whyNot() const {
  if (residentBytes() > MaxResidentBytes)
    return "the program uses so much host memory that a copy would stop it for too long";
  return nullptr;
}

void Snapshot::take(uint32_t AtTick, uint32_t AtGeneration, uint32_t Since, bool NodesSuffice) {
  // Of several threads the others would not wait, and what one does would look different.
  collectWithin(EntersRunningProgram || othersAllocate() ? 0 : PatienceMilliseconds);
  Owed = Copy != 0;
  if (Owed)
    return;
  chooseTargets(AtGeneration, Since);
  bool MoreNodes = NodesSuffice && nodesPileUp();
  if (!Now.Targets.empty() || MoreNodes)
    search(AtTick, AtGeneration);
}

void Snapshot::takeUnsearched(uint32_t AtTick, uint32_t AtGeneration, uint32_t Since,
                              uint64_t Alive) {
  bool IsDue = false;
  for (uint32_t Site = 0, End = Sites.count(); Site < End && !IsDue; ++Site)
    IsDue = isUnsearched(Site, Alive) &&
            !(hasGraphs() && Sites[Site].TheDevice.Type == trace::SampledHeap);
  collect(/*Wait=*/false);
  if (!IsDue || Copy)
    return;
  chooseUnsearched(Since);
  if (!Now.Targets.empty())
    search(AtTick, AtGeneration);
}

void Snapshot::search(uint32_t AtTick, uint32_t AtGeneration) {
  rememberSearched();
  Tick = AtTick;
  Generation = AtGeneration;
  if (const char *Why = whyNot())
    return writeOutcome(Why);
  Now.Files = mappedFiles();
  Now.Frames = framesOfThisThread(Now.Files);
  Now.HasPython = realSymbol("PyObject_Init") != nullptr;
  Classes.readSymbols();
  if (!copyProcess())
    writeOutcome("no copy of the process could be made");
}

/// Memory that the copy of the process writes and the process reads; null if there is none.
static SearchReport *newSharedReport() {
  void *Shared =
      mmap(nullptr, SearchReport::Bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return Shared == MAP_FAILED ? nullptr : static_cast<SearchReport *>(Shared);
}

bool Snapshot::copyProcess() {
  if (!Report && !(Report = newSharedReport()))
    return false;
  std::memset(static_cast<void *>(Report), 0, SearchReport::Bytes);
  uint64_t Begin = microseconds();
  Nodes.lock();
  Original = getpid();
  // No signal at the copy's end, no fork handlers: the program must not notice.
  long Made = syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr);
  if (Made == 0) {
    leaveSignalsAlone();
    prctl(PR_SET_DUMPABLE, 0);
    endWithOriginal();
    searchInCopy(Now, Classes, Nodes, *Report);
    syscall(SYS_exit_group, 0);
  }
  Nodes.unlock();
  PauseMicroseconds = microseconds() - Begin;
  Copy = Made > 0 ? pid_t(Made) : 0;
  return Copy != 0;
}

/// A copy that cannot be waited for counts as one that has: the program waits for all its children.
bool Snapshot::hasEnded() {
  HowEnded = 0;
  return waitpid(Copy, &HowEnded, __WALL | WNOHANG) != 0;
}

/// Whether the copy has ended, or does within that time.
bool Snapshot::endsWithin(unsigned Milliseconds) {
  bool Ended = hasEnded();
  clockid_t OfCopy;
  if (Ended || !Milliseconds || clock_getcpuclockid(Copy, &OfCopy) != 0)
    return Ended;
  const uint64_t Worked = millisecondsOn(OfCopy), Begin = millisecondsOn(CLOCK_MONOTONIC);
  while (!Ended && millisecondsOn(OfCopy) < Worked + Milliseconds &&
         millisecondsOn(CLOCK_MONOTONIC) < Begin + MaxSlowdown * Milliseconds) {
    timespec Pause{0, 5000000};
    nanosleep(&Pause, nullptr);
    Ended = hasEnded();
  }
  return Ended;
}

void Snapshot::collect(bool Wait) {
  collectWithin(Wait ? MaxSeconds * 1000 : 0);
  if (Wait && Copy)
    takeIn();
}

void Snapshot::collectWithin(unsigned Milliseconds) {
  if (Copy && endsWithin(Milliseconds))
    takeIn();
}

/// What ends a copy from outside, as a kernel does that is short of memory, may not come again.
std::string Snapshot::whyUnfinished() {
  constexpr unsigned MaxRepeats = 2;
  if (!WIFSIGNALED(HowEnded))
    return "the search in the copy did not end";
  Owed = Repeats++ < MaxRepeats;
  NodesAlive = 0;
  return "the copy of the process in which the search is made was ended by signal " +
         std::to_string(WTERMSIG(HowEnded));
}

void Snapshot::takeIn() {
  Copy = 0;
  if (!Report->Done.load(std::memory_order_acquire))
    return writeOutcome(whyUnfinished());
  writeOutcome(Report->NoMalloc ? "the program's malloc is not glibc's" : "");
  writePaths();
  writeCycles();
}

void Snapshot::writeOutcome(const std::string &Failure) {
  trace::Search Record;
  Record.Tick = Tick;
  Record.Generation = Generation;
  Record.Failure = Failure;
  if (Report && Failure.empty()) {
    Record.Targets = Report->Targets;
    Record.References = Report->References;
    Record.Microseconds = Report->Microseconds;
    Record.Partial = Report->Partial;
  }
  Record.PauseMicroseconds = PauseMicroseconds;
  Trace.write(Record);
}

/// What looked like a vtable in the copy may have been a variable of the program's, which
/// has another value by now.
trace::HolderHop Snapshot::nameHop(const FoundHop &Hop) const {
  trace::HolderHop Out;
  const char *Class = Hop.Vtable ? classOfWord(Hop.Vtable, Now.Files) : nullptr;
  Out.Class = Class ? Class : "";
  Out.Offset = Hop.Offset;
  Out.HasSite = Hop.SiteAndOne != 0;
  Out.SiteId = Out.HasSite ? Hop.SiteAndOne - 1 : 0;
  Out.Tick = Hop.Tick;
  return Out;
}

void Snapshot::writePaths() {
  Report->forEach([&](const FoundPath &Path, const FoundHop *Hops) {
    std::vector<trace::HolderHop> Named;
    for (uint32_t I = 0; I < Path.Stored; ++I)
      Named.push_back(nameHop(Hops[I]));
    if (Path.Kind == FoundPath::Cycle)
      Trace.write(trace::CycleSample{Tick, Path.Length, Named, Path.Ticks});
    else
      Trace.write(trace::HolderPath{Tick, Path.Target, Path.Root, Path.RootAddress, Path.Pc,
                                    Path.FromFrameEnd, Path.FromStackPointer, Path.Length,
                                    Path.Nodes, Named, Path.RegisterAndOne});
  });
}

void Snapshot::writeCycles() {
  if (!Report->CyclesSearched)
    return;
  trace::GraphCycles Record;
  Record.Tick = Tick;
  Record.Generation = Generation;
  Record.Nodes = Report->CycleNodes;
  for (uint32_t I = 0; I < Report->CycleSites; ++I) {
    const FoundCycleNodes &C = Report->CyclesBySite[I];
    Record.Sites.push_back({C.SiteId, C.Nodes, C.Ticks, C.FirstTick, C.LastTick});
  }
  Trace.write(Record);
}

} // namespace tensorleak::probe
