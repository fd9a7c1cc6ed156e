//===-- Ledger.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/facts/Cycles.h"
#include "runtime/replay/facts/EndedThreads.h"
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/facts/phases/Phases.h"
#include "runtime/replay/facts/rounds/Rounds.h"
#include "runtime/replay/recording/SitePlace.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>

namespace tensorleak {
namespace {

using trace::BoundaryKind;

/// What a site makes, if it has no size.
ThingName thingOf(const trace::Site &Site) {
  switch (static_cast<trace::CudaObject>(Site.DeviceType)) {
#define CUDA_THING(Name, Number, KnownBy, One, Several)                                            \
  case trace::CudaObject::Name:                                                                    \
    return {One, Several};
#include "runtime/trace/CudaObjects.def"
  default:
    return {};
  }
}

bool isSample(const trace::Site &Site) { return Site.DeviceType == trace::SampledHeap; }

bool isOnHeap(const trace::Site &Site) {
  return Site.DeviceType == trace::ProgramHeap || isSample(Site);
}

bool isOnDevice(const trace::Site &Site) {
  return Site.DeviceType != 0 && Site.DeviceType != uint8_t(trace::CudaObject::HostMemory) &&
         !isOnHeap(Site);
}

/// The libraries of C and C++.
bool isOfLanguage(std::string_view File) {
  constexpr std::string_view Names[] = {"libc.so", "libstdc++.so", "libc++.so", "libc++abi.so"};
  return std::any_of(std::begin(Names), std::end(Names),
                     [File](std::string_view Name) { return File.substr(0, Name.size()) == Name; });
}

const char *memoryOf(const trace::Site &Site) {
  return isOnDevice(Site) ? "device" : isOnHeap(Site) ? "heap" : "host";
}

/// Groups the recorded sites by what their stacks look like in the user's source.
class SiteGrouping {
public:
  SiteGrouping(const Recording &R, Symbolizer &Symbols) : R(R), Symbols(Symbols) {}

  std::vector<SourceSite> samples() {
    for (const auto &[Id, Site] : R.Sites)
      if (isSample(Site))
        addSite(Id, Site);
    addObjects(R.Samples);
    return std::move(Sites);
  }

  std::vector<SourceSite> group() {
    for (const auto &[Id, Site] : R.Sites)
      if (!Site.MakesNodes && !isSample(Site))
        addSite(Id, Site);
    addObjects(R.Objects);
    addPeaks();
    addLiveSamples(ticksOfSamples());
    for (SourceSite &S : Sites)
      takeOutExpected(S);
    return std::move(Sites);
  }

private:
  static std::string keyOf(const std::vector<Frame> &Frames) {
    std::string Key;
    for (const Frame &F : Frames)
      Key += '|' + placeKey(F);
    return Key;
  }

  void addObjects(const std::map<uint64_t, RecordedObject> &All) {
    for (const auto &[Number, Object] : All)
      if (auto Index = IndexOfSite.find(Object.SiteId); Index != IndexOfSite.end())
        addObject(Sites[Index->second], Object);
  }

  /// The library whose code asked malloc, beside those through which everybody asks; empty if that
  /// is the user's.
  std::string takerOf(uint64_t SiteId) const {
    const trace::Stack *Stack = stackOfSite(R, SiteId);
    if (!Stack)
      return "";
    for (uint64_t Address : Stack->Frames)
      if (const trace::Module *M = Symbols.moduleAt(Address - 1);
          M && !isOfLanguage(fileNameOf(M->Path)))
        return isUserModule(M->Path) ? "" : M->Path;
    return "";
  }

  SourceSite &siteFor(const SitePlace &Place, const std::string &Op, const trace::Site &Site) {
    std::string Taker = isSample(Site) ? takerOf(Site.Id) : "";
    std::string Key = memoryOf(Site) + thingOf(Site).Several + Taker + keyOf(Place.Frames) +
                      "|backward of" + keyOf(Place.Forward);
    if (Place.Frames.empty()) // then the op is all that distinguishes places
      Key += '|' + Op;
    auto [Entry, IsNew] = IndexOfKey.try_emplace(Key, Sites.size());
    if (IsNew) {
      Sites.emplace_back();
      Sites.back().Frames = Place.Frames;
      Sites.back().Forward = Place.Forward;
      Sites.back().OnDevice = isOnDevice(Site);
      Sites.back().OnHeap = isOnHeap(Site);
      Sites.back().Sampled = isSample(Site);
      Sites.back().ByProgram = Site.DeviceType >= uint8_t(trace::CudaObject::DeviceMemory);
      Sites.back().Thing = thingOf(Site);
      Sites.back().Taker = Taker;
    }
    Last = Entry->second;
    return Sites[Last];
  }

  void addSite(uint64_t Id, const trace::Site &Site) {
    std::string Op = functionOfSite(R, Id);
    SourceSite &S = siteFor(placeOfSite(R, Id, Symbols), Op, Site);
    IndexOfSite[Id] = Last;
    S.Ids.insert(Id);
    if (auto Stack = R.Stacks.find(Site.StackId); Stack != R.Stacks.end())
      addModules(S, Stack->second);
    if (!Op.empty())
      S.Ops.insert(Op);
    auto Counted = R.Counters.find(Id);
    if (Counted == R.Counters.end())
      return;
    S.Allocations += Counted->second.Allocations;
    S.Bytes += Counted->second.Bytes;
    S.MaxBytes = std::max(S.MaxBytes, Counted->second.MaxBytes);
    S.InPlaceCandidates += Counted->second.InPlaceCandidates;
    S.InPlaceBytes += Counted->second.InPlaceBytes;
  }

  void addModules(SourceSite &S, const trace::Stack &Stack) {
    for (uint64_t Address : Stack.Frames)
      if (const trace::Module *M = Symbols.moduleAt(Address - 1))
        S.Modules.insert(M->Path);
  }

  /// Counters are only written when they changed: between two samples the older holds.
  void addLiveSamples(const std::set<uint64_t> &Ticks) {
    for (const auto &[Id, Index] : IndexOfSite) {
      auto Samples = R.LiveSamples.find(Id);
      if (Samples == R.LiveSamples.end())
        continue;
      auto Next = Samples->second.begin();
      LiveSample Now;
      for (uint64_t Tick : Ticks) {
        for (; Next != Samples->second.end() && Next->Tick <= Tick; ++Next)
          Now = *Next;
        Sites[Index].LiveBytes[Tick] += static_cast<int64_t>(Now.Bytes);
        Sites[Index].LargestBytes[Tick] += static_cast<int64_t>(Now.Largest);
      }
    }
  }

  static void addObject(SourceSite &S, const RecordedObject &Object) {
    if (Object.Expected)
      return S.Expected.push_back(Object);
    S.Objects.push_back(Object);
    if (Object.DeathTick)
      return;
    S.BytesAtEnd += static_cast<int64_t>(Object.Bytes);
    ++S.AtEnd;
  }

  static void takeOutExpected(SourceSite &S) {
    for (const RecordedObject &O : S.Expected)
      for (auto Sample = S.LiveBytes.lower_bound(O.BirthTick); Sample != S.LiveBytes.end();
           ++Sample)
        if (!O.DeathTick || Sample->first < *O.DeathTick)
          Sample->second -= static_cast<int64_t>(O.Bytes);
  }

  std::set<uint64_t> ticksOfSamples() const {
    std::set<uint64_t> Out;
    for (const auto &[Id, Samples] : R.LiveSamples)
      for (const LiveSample &S : Samples)
        if (!R.End || S.Tick != R.End->Tick) // then main's variables may be gone
          Out.insert(S.Tick);
    return Out;
  }

  void addPeaks() {
    for (const auto &[Device, Peak] : R.Peaks)
      for (const trace::SiteBytes &Part : Peak.Sites)
        if (auto Index = IndexOfSite.find(Part.SiteId); Index != IndexOfSite.end())
          Sites[Index->second].BytesAtPeak += static_cast<int64_t>(Part.Bytes);
  }

  const Recording &R;
  Symbolizer &Symbols;
  std::vector<SourceSite> Sites;
  std::map<std::string, size_t> IndexOfKey;
  std::map<uint64_t, size_t> IndexOfSite;
  size_t Last = 0;
};

NodeCount::Group nodeGroup(const Recording &R, Symbolizer &Symbols, const trace::SiteNodes &N) {
  NodeCount::Group Out;
  Out.Nodes = static_cast<int64_t>(N.Nodes);
  Out.SiteId = N.SiteId;
  Out.Frames = placeOfSite(R, N.SiteId, Symbols).Frames;
  return Out;
}

/// The probe looks once more at the end, when main's variables are gone: that
/// is no sample of the steps.
template <typename Sample>
std::vector<Sample> samplesOfSteps(const Recording &R, std::vector<Sample> Samples) {
  if (R.End && !Samples.empty() && Samples.back().Tick == R.End->Tick)
    Samples.pop_back();
  return Samples;
}

std::vector<NodeSite> nodeSites(const Recording &R, Symbolizer &Symbols) {
  std::vector<NodeSite> Out;
  for (const auto &[Id, Site] : R.Sites) {
    auto Counted = R.Counters.find(Id);
    if (!Site.MakesNodes || Counted == R.Counters.end())
      continue;
    NodeSite N;
    N.Made = Counted->second.NodesMade;
    N.Frames = placeOfSite(R, Id, Symbols).Frames;
    Out.push_back(std::move(N));
  }
  return Out;
}

std::vector<NodeCount> nodeCounts(const Recording &R, Symbolizer &Symbols) {
  std::vector<NodeCount> Out;
  for (const trace::Census &C : samplesOfSteps(R, R.Censuses)) {
    NodeCount Count;
    Count.Tick = C.Tick;
    Count.Nodes = static_cast<int64_t>(C.Nodes);
    Count.Trusted = C.SitesTrusted;
    for (const trace::SiteNodes &N : C.Sites)
      Count.Groups.push_back(nodeGroup(R, Symbols, N));
    Out.push_back(std::move(Count));
  }
  return Out;
}

/// Tensor storage of the CPU comes from the same heap and is counted elsewhere.
std::vector<HeapSample> heapWithoutTensors(const Recording &R) {
  std::map<uint64_t, int64_t> TensorBytes, Nodes;
  for (const trace::Boundary &B : R.Boundaries) {
    TensorBytes[B.Tick] = static_cast<int64_t>(B.HostLiveBytes);
    Nodes[B.Tick] = static_cast<int64_t>(B.NodesMade - B.NodesFreed);
  }
  std::vector<HeapSample> Out;
  for (const trace::HostHeap &H : samplesOfSteps(R, R.Heap))
    Out.push_back(
        {H.Tick, static_cast<int64_t>(H.Bytes) - TensorBytes[H.Tick], static_cast<int64_t>(H.Bytes),
         static_cast<int64_t>(H.FromSystem - std::min(H.Bytes, H.FromSystem)), Nodes[H.Tick]});
  return Out;
}

std::string settingOf(const Recording &R, const char *Name) {
  auto Set = R.Settings.find(Name);
  return Set == R.Settings.end() ? "" : Set->second;
}

OptimizerStep optimizerStep(const trace::Boundary &B) {
  OptimizerStep Out;
  Out.Tick = B.Tick;
  Out.Zeroed = B.ZeroGradsSince || B.ModuleZeroGradsSince || B.ZeroOpsSince;
  Out.Backwards = B.BackwardsSince;
  Out.Accumulations = B.AccumulationsSince;
  Out.ZeroOps = B.ZeroOpsSince;
  return Out;
}

void addOptimizers(const Recording &R, RunFacts &Facts) {
  std::map<uint64_t, OptimizerFacts> ById;
  for (const trace::Boundary &B : R.Boundaries) {
    if (B.TheKind == BoundaryKind::Backward)
      Facts.Backwards.Steps.push_back(optimizerStep(B));
    if (B.TheKind != BoundaryKind::OptimizerStep && B.TheKind != BoundaryKind::PythonOptimizerStep)
      continue;
    OptimizerFacts &O = ById[B.OptimizerId];
    if (auto Known = R.Optimizers.find(B.OptimizerId); Known != R.Optimizers.end())
      O.Class = Known->second.Class;
    O.Steps.push_back(optimizerStep(B));
  }
  for (auto &[Id, O] : ById)
    Facts.Optimizers.push_back(std::move(O));
}

} // namespace

std::vector<SourceSite> sourceSites(const Recording &R, Symbolizer &Symbols) {
  return SiteGrouping(R, Symbols).group();
}

std::string describeSite(const Recording &R, uint64_t SiteId, Symbolizer &Symbols) {
  std::string Out = describePlace(placeOfSite(R, SiteId, Symbols));
  std::string Function = functionOfSite(R, SiteId);
  return Function.empty() ? Out : Out + " (" + Function + ")";
}

PeakFacts highestPeak(const Recording &R) {
  PeakFacts Out;
  for (const auto &[Device, Peak] : R.Peaks)
    if (static_cast<int64_t>(Peak.TotalBytes) > Out.Bytes)
      Out = {Peak.Tick, Peak.Sequence, static_cast<int64_t>(Peak.TotalBytes)};
  return Out;
}

RunFacts buildFacts(const Recording &R, Symbolizer &Symbols) {
  return buildFacts(R, Symbols, chooseClock(R));
}

RunFacts buildFacts(const Recording &R, Symbolizer &Symbols, StepClock Clock) {
  RunFacts Facts;
  Facts.Clock = std::move(Clock);
  Facts.Sites = sourceSites(R, Symbols);
  Facts.HeapSamples = SiteGrouping(R, Symbols).samples();
  Facts.Held = heldSites(R, Symbols);
  if (Facts.Clock.steps() == 0)
    inferRounds(R, Facts);
  else
    inferPhases(R, Facts);
  keepWhatEndedThreadsKept(R, Facts);
  Facts.NodeSites = nodeSites(R, Symbols);
  Facts.Censuses = nodeCounts(R, Symbols);
  Facts.Cycles = graphCycles(R, Symbols);
  Facts.CyclesSearched = !R.Cycles.empty();
  Facts.Heap = heapWithoutTensors(R);
  Facts.OtherAllocator = settingOf(R, trace::HeapAllocatorSetting);
  Facts.HasPython = !R.PythonLines.empty();
  Facts.UnwatchedHeap = settingOf(R, trace::HeapUnwatchedSetting);
  addOptimizers(R, Facts);
  Facts.Peak = highestPeak(R);
  Facts.Allocations = R.Read.Now.Allocations;
  Facts.BlindSpots = blindSpots(R);
  Facts.UsesCuda = R.Settings.count(trace::CudaDriverSetting) != 0;
  Facts.JoinedLater = R.Settings.count(trace::AttachedSetting) != 0;
  Facts.MainReturned = R.End && R.End->TheKind == trace::EndKind::MainReturned;
  Facts.CalledExit = R.End && R.End->TheKind == trace::EndKind::Exit;
  return Facts;
}

PointFacts pointFacts(const Recording &R, const std::vector<uint64_t> &Points) {
  PointFacts Out;
  Out.Planned = static_cast<unsigned>(Points.size());
  Out.IsCut = !R.End;
  for (uint64_t Id : Points) {
    auto State = R.Points.find(Id);
    if (State == R.Points.end() || State->second.Status != trace::PointStatus::Armed)
      continue;
    const trace::PointState &P = State->second;
    ++Out.Armed;
    if (!P.Hits)
      continue;
    Out.addTimes(P);
    Out.Hits = std::max(Out.Hits, P.Hits);
    Out.StepsHit = std::max(Out.StepsHit, P.GenerationsHit);
  }
  return Out;
}

} // namespace tensorleak
