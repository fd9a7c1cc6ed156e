//===-- RecordOfRun.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/RecordOfRun.h"
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/timeline/PeakParts.h"
#include "runtime/replay/verdicts/Matcher.h"
#include "runtime/trace/Ranks.h"

#include <unistd.h>

namespace tensorleak {
namespace {

/// Nothing, unless the whole of \p Text is a number.
std::optional<uint32_t> numberIn(const std::string &Text) {
  constexpr size_t MaxDigits = 9;
  bool Good = !Text.empty() && Text.size() <= MaxDigits &&
              Text.find_first_not_of("0123456789") == Text.npos;
  return Good ? std::optional<uint32_t>(std::stoul(Text)) : std::nullopt;
}

std::string hostName() {
  char Name[256] = {};
  return gethostname(Name, sizeof Name - 1) == 0 ? Name : "";
}

RecordObject recordObject(const RecordedObject &O) {
  return {static_cast<int64_t>(O.Bytes), O.BirthTick, O.DeathTick, O.Expected};
}

std::optional<RecordHolder> holderAt(const SourceSite &Site, const RunFacts &Run) {
  if (const Holder *H = holderOf(Site, Run))
    return RecordHolder{describe(*H), H->Way};
  return std::nullopt;
}

void addPeak(const SourceSite &From, const std::map<uint64_t, PeakPart> &Parts, RecordSite &S) {
  PeakPart Sum;
  for (uint64_t Id : From.Ids)
    if (auto Part = Parts.find(Id); Part != Parts.end())
      Sum.add(Part->second);
  S.PeakBefore = Sum.Before;
  S.PeakEarlier = Sum.Earlier;
  S.PeakCount = Sum.Count;
}

RecordSite recordSite(const SiteGrowth &G) {
  const SourceSite &From = *G.Site;
  RecordSite S;
  S.Frames = From.Frames;
  S.Ops = {From.Ops.begin(), From.Ops.end()};
  S.OnDevice = From.OnDevice;
  S.TheGrowth = G.TheGrowth;
  S.BytesPerStep = std::max<int64_t>(G.BytesPerStep, 0);
  S.TotalBytes = G.TotalBytes;
  S.PeakBytes = From.BytesAtPeak;
  S.Allocations = From.Allocations;
  if (From.OnHeap)
    return S;
  for (const std::vector<RecordedObject> *Objects : {&From.Objects, &From.Expected})
    for (const RecordedObject &O : *Objects)
      S.Objects.push_back(recordObject(O));
  return S;
}

} // namespace

JobPart jobPart(const std::function<std::string(const char *)> &Lookup) {
  for (const trace::RankVariables &V : trace::Launchers) {
    JobPart Part;
    Part.Rank = numberIn(Lookup(V.Rank));
    Part.WorldSize = numberIn(Lookup(V.WorldSize));
    if (Part.Rank && Part.WorldSize)
      return Part;
  }
  return {};
}

RunRecord recordOf(const Recording &R, const RunFacts &Run) {
  RunRecord Out;
  Out.Command = R.TheProcess.Arguments;
  Out.Part = jobPart([&R](const char *Name) {
    auto Found = R.Settings.find(Name);
    return Found == R.Settings.end() ? "" : Found->second;
  });
  Out.Part.Host = hostName();
  Out.Part.Pid = R.TheProcess.Pid;
  Out.Part.ParentPid = R.TheProcess.ParentPid;
  Out.Steps = static_cast<uint32_t>(Run.Clock.rounds());
  Out.Clock = Run.Clock.Name;
  Out.PeakBytes = Run.Peak.Bytes;
  if (NodeGrowth Nodes = totalNodeGrowth(Run, Run.Clock); Nodes.grows())
    Out.NodesPerStep = Nodes.PerStep;
  Out.HeapBytesPerStep = heapBytesPerStep(Run, Run.Clock);
  Out.Allocations = Run.Allocations;
  std::map<uint64_t, PeakPart> Parts = peakParts(R, Run.Clock);
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock)) {
    Out.Sites.push_back(recordSite(G));
    addPeak(*G.Site, Parts, Out.Sites.back());
    Out.Sites.back().Holder = holderAt(*G.Site, Run);
  }
  Out.Memory = timelineOf(R, Run.Clock);
  return Out;
}

} // namespace tensorleak
