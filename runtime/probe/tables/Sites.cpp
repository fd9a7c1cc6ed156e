//===-- Sites.cpp - Where memory comes from -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sites.h. The usual case is two look-ups in caches of the thread; the
// shared maps are only for what is new.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/Sites.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/core/PagedMemory.h"
#include "runtime/trace/UserCode.h"

#include <cstring>

namespace tensorleak::probe {
namespace {

/// Raises \p Highest to \p Value.
void raise(uint64_t &Highest, uint64_t Value) {
  uint64_t Seen = look(Highest);
  while (Seen < Value && !__atomic_compare_exchange_n(&Highest, &Seen, Value, true,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9E3779B97F4A7C15ull;
  return Hash ^ (Hash >> 29);
}

/// The outermost operator that is open, or null. User scopes only count when
/// nothing else is open.
const char *outermostName(const OpenScopes &Scopes) {
  uint32_t Depth = Scopes.Depth < OpenScopes::Max ? Scopes.Depth : OpenScopes::Max;
  for (uint32_t I = 0; I < Depth; ++I)
    if (Scopes.Stack[I].Kind != ScopeKind::User && Scopes.Stack[I].Name)
      return Scopes.Stack[I].Name;
  return Depth ? Scopes.Stack[0].Name : nullptr;
}

/// An exception may have left the step without our notice; its frame then lies below
/// the present one.
bool isInOptimizer(const ThreadState &Thread) {
  return Thread.Scopes.OptimizerSteps ||
         Thread.StepFrame > reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

/// Exact, not a hash: 25 bits stack, 20 bits name, then the flags and the device.
uint64_t packKey(const trace::Site &Site) {
  return Site.StackId << 39 | Site.OpId << 19 | uint64_t(Site.InOptimizer) << 18 |
         uint64_t(Site.InBackward) << 17 | uint64_t(Site.MakesNodes) << 16 |
         uint64_t(uint8_t(Site.DeviceIndex)) << 8 | Site.DeviceType;
}

} // namespace

uint64_t SiteKey::hash() const {
  return mix(mix(0, Packed), uint64_t(Python) << 32 | ForwardAndOne);
}

uint64_t SiteState::allocated(uint64_t Size) {
  bump(Bytes, Size);
  raise(MaxBytes, Size);
  raise(PeakLiveBytes, bump(LiveBytes, Size));
  return bump(Allocations);
}

void SiteState::freed(uint64_t Size) {
  bump(Frees);
  bump(LiveBytes, -Size);
}

uint64_t SiteState::events() const {
  return look(Allocations) + look(Frees) + look(NodesMade) + look(NodesFreed) +
         look(InPlaceCandidates);
}

uint32_t SiteTable::newSite(Device Where) {
  uint32_t Id = Count.load();
  // The last site takes what does not fit: counted, but no longer distinguished.
  if (Id == ChunkSize * MaxChunks)
    return Id - 1;
  if (!Chunks[Id / ChunkSize].load())
    Chunks[Id / ChunkSize] = static_cast<SiteState *>(mapPages(ChunkSize * sizeof(SiteState)));
  (*this)[Id].TheDevice = Where;
  Count.store(Id + 1, std::memory_order_release);
  return Id;
}

bool SiteTable::isNewModule(const LoadedModule &M) {
  uint64_t Key = mix(M.low(), std::hash<std::string>()(M.path()));
  return Modules.emplace(Key, true).second;
}

/// The loader is asked while no lock of ours is held: who holds the loader's lock may come by here
/// too (what dl_iterate_phdr calls of the program's may allocate).
void SiteTable::writeModules() {
  uint64_t Now = moduleGeneration();
  if (Now == KnownModules.load(std::memory_order_relaxed))
    return;
  PageVector<LoadedModule> Loaded = loadedModules();
  std::lock_guard<std::mutex> Lock(Mutex);
  for (const LoadedModule &M : Loaded)
    if (isNewModule(M)) {
      Trace.write(M.record());
      OnModule(M);
    }
  KnownModules.store(Now, std::memory_order_relaxed);
}

bool SiteTable::isKnownStack(uint64_t Hash) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Stacks.count(Hash) != 0;
}

uint32_t SiteTable::internStack(const StackEntry &Stack, bool MayAskLoader) {
  trace::Stack New;
  uint64_t Hash = 0;
  for (uint32_t I = 0; I < Stack.Count; ++I) {
    if (isOwnCode(Stack.Pcs[I]))
      continue;
    New.Frames.push_back(Stack.Pcs[I]);
    Hash = mix(Hash, Stack.Pcs[I]);
  }
  if (MayAskLoader && !isKnownStack(Hash))
    writeModules();
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [At, IsNew] = Stacks.try_emplace(Hash, uint32_t(Stacks.size() + 1));
  if (IsNew) {
    New.Id = At->second;
    Trace.write(New);
  }
  return At->second;
}

void SiteTable::PythonUse::add(uint32_t Tick, uint32_t Generation, uint64_t Sequence) {
  if (!Record.GenerationsHit) {
    Record.FirstTick = Tick;
    Record.FirstSequence = Sequence;
  }
  Record.GenerationsHit += Generation >= NextGeneration;
  NextGeneration = Generation + 1;
  Record.LastTick = Tick;
  Record.LastSequence = Sequence;
}

std::optional<uint32_t> SiteTable::ranPython(uint64_t Hash, uint32_t Tick, uint32_t Generation,
                                             uint64_t Sequence) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto Known = PythonStacks.find(Hash);
  if (Known == PythonStacks.end())
    return std::nullopt;
  if (!Known->second)
    return 0;
  Known->second->add(Tick, Generation, Sequence);
  return uint32_t(Known->second->Record.StackId);
}

/// Functions of Python have no addresses that lead to their lines. They get some that no
/// code has, and the trace records at once what stands there.
uint64_t SiteTable::pythonAddress(const PythonFrame &Frame) {
  constexpr uint64_t FirstAddress = uint64_t(0x707974686f6e) << 16; // "python"
  std::string Key = Frame.File + '|' + std::to_string(Frame.Line) + '|' + Frame.Function;
  auto [At, IsNew] = PythonAddress.try_emplace(Key, FirstAddress + PythonAddress.size());
  if (IsNew)
    Trace.write(
        trace::Symbol{At->second, {{Frame.Function, Frame.File, Frame.Line, /*Column=*/0}}});
  return At->second;
}

bool SiteTable::hasRoomForPython() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return PythonStacks.size() < MaxPythonStacks;
}

void SiteTable::internPython(uint64_t Hash, const std::vector<PythonFrame> &Frames) {
  std::lock_guard<std::mutex> Lock(Mutex);
  trace::Stack New;
  for (const PythonFrame &F : Frames)
    if (isUserPython(F.File) && New.Frames.size() < MaxPythonFrames)
      New.Frames.push_back(pythonAddress(F) + 1); // as a call would return behind it
  PythonUse *&Use = PythonStacks[Hash];
  if (New.Frames.empty())
    return;
  uint64_t Shown = 1;
  for (uint64_t Address : New.Frames)
    Shown = mix(Shown, Address);
  auto [At, IsNew] = Stacks.try_emplace(Shown, uint32_t(Stacks.size() + 1));
  New.Id = At->second;
  if (IsNew)
    Trace.write(New);
  Use = &PythonUses[At->second];
  Use->Record.StackId = New.Id;
}

void SiteTable::writePython() {
  std::lock_guard<std::mutex> Lock(Mutex);
  for (const auto &[Id, Use] : PythonUses)
    Trace.write(Use.Record);
}

uint32_t SiteTable::internName(const std::string &Name) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [At, IsNew] = Names.try_emplace(Name, uint32_t(Names.size() + 1));
  if (IsNew) {
    trace::OpName Record;
    Record.Id = At->second;
    Record.Name = Name;
    Trace.write(Record);
  }
  return At->second;
}

/// Names are not at fixed addresses (autograd builds them anew each time), so the
/// cache compares the text too.
uint32_t SiteTable::nameId(ThreadTables &Tables, const char *Name) {
  if (!Name || !*Name)
    return 0;
  uint64_t Way = mix(0, reinterpret_cast<uintptr_t>(Name)) >> 40;
  auto &Cached = Tables.Names[Way % ThreadTables::NameWays];
  if (Cached.At == Name && !std::strcmp(Cached.Name, Name))
    return Cached.Id;
  uint32_t Id = internName(Name);
  if (size_t Size = std::strlen(Name); Size < ThreadTables::MaxName) {
    Cached.At = Name;
    Cached.Id = Id;
    std::memcpy(Cached.Name, Name, Size + 1);
  }
  return Id;
}

uint32_t SiteTable::internSite(const SiteKey &Key, const trace::Site &Site) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [At, IsNew] = Sites.try_emplace(Key, 0);
  if (IsNew) {
    trace::Site New = Site;
    New.Id = At->second = newSite({Site.DeviceType, Site.DeviceIndex});
    Trace.write(New);
  }
  return At->second;
}

uint32_t SiteTable::current(ThreadState &Thread, ThreadTables &Tables, Device Where,
                            bool MakesNodes, uint32_t Python) {
  StackEntry &Stack = Tables.Memo.capture();
  if (!Stack.Id)
    Stack.Id = internStack(Stack, /*MayAskLoader=*/Where.Type != trace::SampledHeap);
  trace::Site Site;
  Site.StackId = Stack.Id;
  Site.OpId = nameId(Tables, outermostName(Thread.Scopes));
  Site.InBackward = Thread.Scopes.Backwards != 0;
  Site.ForwardAndOne = Site.InBackward ? Thread.RunningSiteAndOne : 0;
  Site.DeviceType = Where.Type;
  Site.DeviceIndex = Where.Index;
  Site.MakesNodes = MakesNodes;
  Site.InOptimizer = isInOptimizer(Thread);
  Site.PythonStackId = Python;
  SiteKey Key{packKey(Site), uint32_t(Site.ForwardAndOne), Python};
  auto &Cached = Tables.Sites[(Key.hash() >> 40) % ThreadTables::SiteWays];
  if (Cached.Key != Key.Packed || Cached.ForwardAndOne != Key.ForwardAndOne ||
      Cached.Python != Python)
    Cached = {Key.Packed, Key.ForwardAndOne, Python, internSite(Key, Site)};
  return Cached.Id;
}

void SiteTable::writeCounters() {
  for (uint32_t Id = 0, End = count(); Id < End; ++Id) {
    SiteState &S = (*this)[Id];
    uint64_t Events = S.events();
    if (Events == S.WrittenEvents)
      continue;
    S.WrittenEvents = Events;
    trace::SiteCounters Record;
    Record.SiteId = Id;
    Record.Allocations = look(S.Allocations);
    Record.Frees = look(S.Frees);
    Record.Bytes = look(S.Bytes);
    Record.MaxBytes = look(S.MaxBytes);
    Record.LiveBytes = look(S.LiveBytes);
    Record.PeakLiveBytes = look(S.PeakLiveBytes);
    Record.InPlaceCandidates = look(S.InPlaceCandidates);
    Record.InPlaceBytes = look(S.InPlaceBytes);
    Record.NodesMade = look(S.NodesMade);
    Record.NodesFreed = look(S.NodesFreed);
    Trace.write(Record);
  }
}

} // namespace tensorleak::probe
