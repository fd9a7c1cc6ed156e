//===-- Session.cpp - One trace and all that is counted for it ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Session.h. Here events become records.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Session.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/LinePoints.h"
#include "runtime/probe/session/Settings.h"
#include "runtime/probe/tables/ScopeOutputs.h"

#include <climits>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <time.h>
#include <unistd.h>
#include <utility>

// Not in every C library that LibTorch runs on.
extern "C" struct mallinfo2 mallinfo2() noexcept __attribute__((weak));

namespace tensorleak::probe {
namespace {

constexpr Device Host{0, -1};

std::string readLink(const char *Path) {
  char Target[PATH_MAX];
  ssize_t Size = readlink(Path, Target, sizeof(Target));
  return std::string(Target, Size > 0 ? size_t(Size) : 0);
}

std::vector<std::string> commandLine() {
  std::ifstream File("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> Arguments;
  for (std::string Argument; std::getline(File, Argument, '\0');)
    Arguments.push_back(Argument);
  return Arguments;
}

/// What this process recorded before it became this program by exec.
void setAside(const std::string &Path) {
  constexpr unsigned MostPrograms = 16;
  std::string Stem = Path.substr(0, Path.rfind('.')), Suffix = Path.substr(Stem.size());
  for (unsigned I = 1; I <= MostPrograms && access(Path.c_str(), F_OK) == 0; ++I)
    if (std::string Other = Stem + '.' + std::to_string(I) + Suffix;
        access(Other.c_str(), F_OK) != 0)
      std::rename(Path.c_str(), Other.c_str());
}

} // namespace

Session::Session(const trace::ProbeConfig &Config, uint32_t Epoch) : Epoch(Epoch), Pid(getpid()) {
  std::string Path = trace::tracePath(Config, uint64_t(Pid));
  setAside(Path);
  if (!Trace.open(Path))
    return;
  writeProcess();
  Recording = true;
}

void Session::writeProcess() {
  trace::Process Record;
  Record.Pid = uint64_t(Pid);
  Record.ParentPid = uint64_t(getppid());
  Record.Executable = readLink("/proc/self/exe");
  Record.WorkingDirectory = readLink("/proc/self/cwd");
  Record.Arguments = commandLine();
  Record.StartTime = uint64_t(time(nullptr));
  Trace.write(Record);
}

void Session::allocated(ThreadState &Thread, void *Data, uint64_t Bytes, Device Where) {
  ThreadTables &Tables = tablesOf(Thread, Epoch);
  LiveObject Object;
  Object.SiteId = Sites.current(Thread, Tables, Where, /*MakesNodes=*/false, pythonStackOf(Thread));
  Object.Address = reinterpret_cast<uintptr_t>(Data);
  Object.Number = bump(Trace.totals().Allocations);
  Object.Bytes = Bytes;
  Object.Tick = TheSteps.tick();
  Object.Generation = TheSteps.generation();
  Object.HoldsPointers = Where.isHeap();
  Thread.Scopes.LastNumber = Object.Number;
  Thread.LastSite = Object.SiteId;
  Thread.FreedSince = Thread.YoungFreed = 0;
  SiteState &Site = Sites[Object.SiteId];
  uint64_t Count = Site.allocated(Bytes);
  ThePulses.allocated(Site, Object.SiteId, Count, Object.Number);
  ThePeaks.grown(Thread, Where, Bytes);
  if (!Where.isHeap())
    noteOutput(Thread.Scopes, Data, Bytes, Object.SiteId);
  if (auto Missed = Live.insert(Object))
    retire(*Missed);
  if (TheAgeMarks.isDue(Object.Number))
    boundary({trace::BoundaryKind::Age});
}

void Session::sampled(ThreadState &Thread, void *Data, uint64_t Stands) {
  ThreadTables &Tables = tablesOf(Thread, Epoch);
  LiveObject Object;
  // Python may be at work on its own stack.
  Object.SiteId = Sites.current(Thread, Tables, {trace::SampledHeap, -1}, /*MakesNodes=*/false,
                                /*Python=*/0);
  Object.Address = reinterpret_cast<uintptr_t>(Data);
  Object.Number = trace::SampleNumber::of(look(Trace.totals().Allocations), bump(Samples));
  Object.Bytes = Stands;
  Object.Tick = TheSteps.tick();
  Object.Generation = TheSteps.generation();
  Object.HoldsPointers = true;
  Sites[Object.SiteId].allocated(Stands);
  if (auto Missed = Live.insert(Object))
    retire(*Missed);
}

void Session::retire(const LiveObject &Object) {
  SiteState &Site = Sites[Object.SiteId];
  ThePeaks.aboutToShrink(TheThread, Site.TheDevice, Object.Bytes);
  Site.freed(Object.Bytes);
  if (Object.Recorded)
    writeDied(Object);
}

void Session::writeDied(const LiveObject &Object) {
  ++TheThread.FreedSince;
  Trace.write(trace::Died{Object.Number, TheSteps.tick(), look(Trace.totals().Allocations),
                          TheThread.KernelId});
}

void Session::freed(ThreadState &Thread, void *Data) {
  tablesOf(Thread, Epoch);
  std::optional<LiveObject> Gone = Live.erase(reinterpret_cast<uintptr_t>(Data));
  if (!Gone) {
    bump(Trace.totals().UnknownFrees);
    return;
  }
  if (++Thread.PendingFrees == EventsAtOnce)
    reportPending(Thread);
  noteFree(Thread.Scopes, *Gone, Sites);
  retireBy(Thread, *Gone);
}

bool Session::heapFreed(ThreadState &Thread, void *Data) {
  tablesOf(Thread, Epoch);
  std::optional<LiveObject> Gone = Live.erase(reinterpret_cast<uintptr_t>(Data));
  if (Gone)
    retireBy(Thread, *Gone);
  return Gone.has_value();
}

void Session::reportPending(ThreadState &Thread) {
  bump(Trace.totals().Ops, std::exchange(Thread.PendingOps, 0));
  bump(Trace.totals().Frees, std::exchange(Thread.PendingFrees, 0));
  ThePeaks.flush(Thread);
}

void Session::freedLate(void *Data) {
  std::optional<LiveObject> Gone = Live.erase(reinterpret_cast<uintptr_t>(Data));
  if (Gone && Gone->Recorded)
    writeDied(*Gone);
}

void Session::nodeMade(ThreadState &Thread, uint64_t Number) {
  ThreadTables &Tables = tablesOf(Thread, Epoch);
  uint32_t SiteId = Sites.current(Thread, Tables, Host, /*MakesNodes=*/true, pythonStackOf(Thread));
  bump(Trace.totals().NodesMade);
  bump(Sites[SiteId].NodesMade);
  Nodes.made(Thread, torchThreadId(Thread), Number, SiteId, TheSteps.tick());
}

void Session::nodeFreed(ThreadState &Thread, const NodeHead &Node) {
  tablesOf(Thread, Epoch);
  bump(Trace.totals().NodesFreed);
  TheCensus.Classes.learn(Node.Vtable);
  if (const NodeBirth *Birth = Nodes.freed(Thread, Node))
    bump(Sites[Birth->site()].NodesFreed);
}

void Session::outOfMemory(Device Where, uint64_t Bytes) {
  trace::OutOfMemory Record;
  Record.Tick = TheSteps.tick();
  Record.Sequence = look(Trace.totals().Allocations);
  Record.Bytes = Bytes;
  Record.DeviceType = Where.Type;
  Record.DeviceIndex = Where.Index;
  Record.Pool = Pools.stateOf(Where);
  for (uint32_t Id = 0, End = Sites.count(); Id < End; ++Id)
    if (SiteState &Site = Sites[Id]; Site.TheDevice == Where && look(Site.LiveBytes))
      Record.Sites.push_back({Id, look(Site.LiveBytes)});
  Trace.write(Record);
}

/// Object 0 stands for an address at which no live memory starts.
void Session::expectRetained(const void *Data) {
  trace::Expected Record;
  const auto Object = Live.at(reinterpret_cast<uintptr_t>(Data));
  Record.Object = Object ? Object->Number : 0;
  Record.Tick = TheSteps.tick();
  Trace.write(Record);
}

void Session::writeBorn(const LiveObject &Object) {
  trace::Born Record;
  Record.Object = Object.Number;
  Record.SiteId = Object.SiteId;
  Record.Bytes = Object.Bytes;
  Record.Tick = Object.Tick;
  Record.Generation = Object.Generation;
  Record.Address = Object.Address;
  Trace.write(Record);
}

void Session::boundary(const BoundarySource &Source) {
  tablesOf(TheThread, Epoch);
  trace::Boundary Record;
  TheSteps.begin(Source, Record);
  bool IsAge = Source.Kind == trace::BoundaryKind::Age;
  if (IsAge && !Record.Acting)
    return;
  Record.Thread = TheThread.KernelId;
  reportPending(TheThread);
  Record.HostLiveBytes = ThePeaks.hostLiveBytes();
  Record.DeviceLiveBytes = ThePeaks.deviceLiveBytes();
  Trace.write(trace::LiveMemory{Record.Tick, ThePulses.elapsed(), ThePeaks.takeHighest()});
  Trace.write(Record);
  if (IsAge)
    return growOlder(uint32_t(Record.Generation), TheAgeMarks.isLongPause(Record.Sequence));
  if (!Record.Acting)
    return;
  if (Source.Kind != trace::BoundaryKind::Assertion)
    TheAgeMarks.stepped(Record.Sequence);
  beginGeneration(uint32_t(Record.Generation));
}

void Session::recordSurvivors(uint32_t Generation) {
  if (Generation >= 2)
    Live.recordSurvivors(Generation - 2, [&](const LiveObject &O) { writeBorn(O); });
}

/// Of a program that makes no steps, or makes them no more: less often than at a step is anything
/// written, for one that makes none for years, and lines are not watched anew.
void Session::growOlder(uint32_t Generation, bool IsLongPause) {
  recordSurvivors(Generation);
  if (!IsLongPause)
    return;
  std::unique_lock<std::mutex> Lock(StateMutex, std::try_to_lock);
  constexpr uint32_t Spacing = 12; // about a doubling of the allocations
  uint32_t Age = TheSteps.agesSinceStep();
  if (!Lock || Age % 2)
    return;
  writeState(/*IsEnd=*/false);
  // A program that is killed has no more than this to tell its rounds by.
  if (Schedule::isPowerOfTwo(Age) || Age % Spacing == 0)
    ThePulses.write(Trace);
  // A search takes its time: the first ones wait until there is something to be found.
  bool IsEarly = Age <= 2 * Spacing;
  if (Age >= Spacing && Age % (IsEarly ? Spacing / 2 : Spacing) == 0)
    TheSnapshot.take(TheSteps.tick(), Generation, std::max(1u, TheSteps.lastStep()),
                     /*NodesSuffice=*/!IsEarly);
  else if (Age >= Spacing)
    TheSnapshot.takeUnsearched(TheSteps.tick(), Generation, std::max(1u, TheSteps.lastStep()),
                               2 * MinStepsOfLoop);
  else
    TheSnapshot.collect(/*Wait=*/false);
}

void Session::beginGeneration(uint32_t Generation) {
  recordSurvivors(Generation);
  linePoints().rearm();
  // One thread does the occasional large work; another need not wait for it.
  std::unique_lock<std::mutex> Lock(StateMutex, std::try_to_lock);
  uint32_t Steps = Generation - TheSteps.ages();
  if (!Lock)
    return;
  bool IsDue = TheSchedule.isDue(Steps);
  if (IsDue)
    writeLargeRecords(Steps, Generation);
  searchIfDue(Steps, Generation, IsDue);
}

void Session::searchIfDue(uint32_t Steps, uint32_t Generation, bool IsDue) {
  bool IsDoubling = IsDue && Schedule::isPowerOfTwo(Steps) && Steps >= 16;
  if (!IsDoubling && (IsDue || TheSnapshot.isOwed()))
    TheSnapshot.collect(/*Wait=*/false);
  bool IsOwed = TheSnapshot.isOwed() && !TheSnapshot.goesOn();
  if ((IsDoubling || IsOwed) && !TheSteps.inScopeWithRounds())
    TheSnapshot.take(TheSteps.tick(), Generation, TheSteps.firstStep(), /*NodesSuffice=*/true);
}

void Session::writeLargeRecords(uint32_t Steps, uint32_t Generation) {
  writeState(/*IsEnd=*/false);
  // Four early ones at any price, for programs that end soon.
  bool AtAnyPrice = Schedule::isPowerOfTwo(Steps) && Steps <= 64;
  if (Steps >= 8)
    TheCensus.takeIfAffordable(AtAnyPrice, TheSteps.tick(), Generation);
}

void Session::writeHeap() {
  if (!mallinfo2)
    return;
  struct mallinfo2 Info = mallinfo2();
  trace::HostHeap Record;
  Record.Tick = TheSteps.tick();
  Record.Generation = TheSteps.generation();
  Record.Bytes = Info.uordblks + Info.hblkhd;
  Record.TensorBytes = ThePeaks.hostLiveBytes();
  Record.FromSystem = Info.arena + Info.hblkhd;
  Trace.write(Record);
}

void Session::writeState(bool IsEnd) {
  writeHeap();
  Sites.writeCounters();
  ThePeaks.write(IsEnd);
  Pools.write(TheSteps.tick(), TheSteps.generation());
  linePoints().write(Trace);
  if (IsEnd)
    ThePulses.write(Trace);
  if (IsEnd || Schedule::isPowerOfTwo(TheSteps.generation()))
    writeSurroundings(/*OnlyNew=*/false);
}

/// To look for the symbols of all hooks takes a while: they may be in files that were loaded
/// since.
void Session::writeSurroundings(bool OnlyNew) {
  Sites.writeModules();
  Sites.writePython();
  uint64_t Files = moduleGeneration();
  if (OnlyNew && Files == FilesAtHooks)
    return;
  FilesAtHooks = Files;
  writeHooks(Trace);
  writeSettings(Trace);
}

/// What piled up since the last search, as in the last part of a program: globals, and main's
/// variables where it called exit(), still keep it.
void Session::searchAtEnd() {
  bool MakesNoSteps = TheSteps.agesSinceStep() != 0;
  TheSnapshot.takeUnsearched(
      TheSteps.tick(), TheSteps.generation(),
      MakesNoSteps ? std::max(1u, TheSteps.lastStep()) : TheSteps.firstStep(), MinStepsOfLoop);
  TheSnapshot.collect(/*Wait=*/true);
}

void Session::finish(trace::EndKind Kind, int Code) {
  if (!Recording.exchange(false))
    return;
  std::unique_lock<std::mutex> Lock(StateMutex, std::try_to_lock);
  reportPending(TheThread);
  trace::End Record;
  Record.TheKind = Kind;
  Record.Code = uint32_t(Code);
  Record.Tick = TheSteps.tick();
  Record.Microseconds = ThePulses.elapsed();
  Trace.write(trace::LiveMemory{Record.Tick, Record.Microseconds, ThePeaks.takeHighest()});
  Live.forEach([&](const LiveObject &O) {
    if (trace::SampleNumber::is(O.Number))
      return;
    ++Record.LiveObjects;
    Record.LiveBytes += O.Bytes;
  });
  Live.recordAll([&](const LiveObject &O) { writeBorn(O); });
  TheSnapshot.collect(/*Wait=*/true);
  if (Kind == trace::EndKind::MainReturned || Kind == trace::EndKind::Exit)
    searchAtEnd();
  writeState(/*IsEnd=*/true);
  TheCensus.takeIfAffordable(/*Due=*/true, TheSteps.tick(), TheSteps.generation());
  Trace.write(Record);
  Trace.setFlag(trace::EndWritten);
  Trace.trim();
}

} // namespace tensorleak::probe
