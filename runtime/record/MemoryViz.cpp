//===-- MemoryViz.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/MemoryViz.h"
#include "runtime/record/Pickle.h"
#include "runtime/replay/verdicts/Matcher.h"

#include <algorithm>
#include <tuple>

using nlohmann::json;

namespace tensorleak {
namespace {

/// The viewer's word for what has no category; it fails unless one event has it.
constexpr const char *Unknown = "unknown";
constexpr const char *Expected = "expected";

/// Memory as the viewer sees it.
struct Block {
  const RecordObject *Object;
  uint64_t Address;
  Pickle::Shared Frames;
  const std::string *Category;
};

struct Event {
  uint64_t Tick;
  bool IsBirth; ///< deaths of a tick come first: what is replaced is not counted twice
  size_t Block;
  friend bool operator<(const Event &A, const Event &B) {
    return std::tie(A.Tick, A.IsBirth, A.Block) < std::tie(B.Tick, B.IsBirth, B.Block);
  }
};

json framesOf(const RecordSite &S) {
  json Out = json::array();
  for (const Frame &F : S.Frames)
    Out.push_back({{"name", F.Function}, {"filename", F.Where.File}, {"line", F.Where.Line}});
  if (S.Frames.empty())
    Out.push_back({{"name", describe(S)}, {"filename", ""}, {"line", 0}});
  return Out;
}

/// One device of the snapshot: the memory of all GPUs, or of the host.
class DeviceTrace {
public:
  DeviceTrace(Pickle &Out, int Index) : Out(Out), Index(Index) {}

  void add(const RecordSite &S, Pickle::Shared Frames, const std::string &Category) {
    static const std::string IsExpected = Expected;
    for (const RecordObject &O : S.Objects) {
      Events.push_back({O.Birth, true, Blocks.size()});
      if (O.Death)
        Events.push_back({*O.Death, false, Blocks.size()});
      Blocks.push_back({&O, NextAddress, Frames, O.Expected ? &IsExpected : &Category});
      NextAddress += static_cast<uint64_t>(std::max<int64_t>(O.Bytes, 1));
    }
  }

  void putEvents() {
    std::sort(Events.begin(), Events.end());
    Out.beginList();
    for (const Event &E : Events) {
      Out.element();
      const Block &B = Blocks[E.Block];
      putEvent(E.IsBirth ? "alloc" : "free_completed", B, *B.Category);
    }
    Out.element();
    Out.put(
        {{"action", "snapshot"}, {"addr", 0}, {"size", 0}, {"stream", 0}, {"category", Unknown}});
    Out.endList();
  }

  /// Each block is its own segment: fragmentation is not shown.
  void putSegments() {
    for (const Block &B : Blocks) {
      Out.element();
      Out.beginDictionary();
      putMember("device", Index);
      putMember("address", B.Address);
      putMember("total_size", B.Object->Bytes);
      putMember("allocated_size", B.Object->Death ? 0 : B.Object->Bytes);
      putMember("active_size", B.Object->Death ? 0 : B.Object->Bytes);
      putMember("stream", 0);
      putMember("segment_type", "large");
      Out.key("blocks");
      putBlock(B);
      Out.endDictionary();
    }
  }

private:
  void putMember(const char *Name, const json &Value) {
    Out.key(Name);
    Out.put(Value);
  }

  void putEvent(const char *Action, const Block &B, const std::string &Category) {
    Out.beginDictionary();
    putMember("action", Action);
    putMember("addr", B.Address);
    putMember("size", B.Object->Bytes);
    putMember("stream", 0);
    putMember("category", Category);
    Out.key("frames");
    Out.putShared(B.Frames);
    Out.endDictionary();
  }

  void putBlock(const Block &B) {
    Out.beginList();
    Out.element();
    Out.beginDictionary();
    putMember("address", B.Address);
    putMember("size", B.Object->Bytes);
    putMember("requested_size", B.Object->Bytes);
    putMember("state", B.Object->Death ? "inactive" : "active_allocated");
    Out.key("frames");
    Out.putShared(B.Frames);
    Out.endDictionary();
    Out.endList();
  }

  Pickle &Out;
  int Index;
  uint64_t NextAddress = 1 << 20;
  std::vector<Block> Blocks;
  std::vector<Event> Events;
};

/// From the best to the worst news.
constexpr Verdict BySeverity[] = {Verdict::NotReached, Verdict::Refuted, Verdict::Inconclusive,
                                  Verdict::Confirmed};

size_t severity(Verdict V) {
  return static_cast<size_t>(std::find(std::begin(BySeverity), std::end(BySeverity), V) -
                             std::begin(BySeverity));
}

} // namespace

std::string categoryOf(const RecordSite &S, const std::vector<Finding> &Findings) {
  const Finding *Worst = nullptr;
  for (const Finding &F : Findings) {
    bool Speaks = F.TheVerdict && !(F.Suppressed && F.Suppressed->InSource) &&
                  match(F, S.Frames) == Match::Line;
    if (Speaks && (!Worst || severity(*F.TheVerdict) > severity(*Worst->TheVerdict)))
      Worst = &F;
  }
  if (!Worst)
    return Unknown;
  return (Worst->Suppressed ? "suppressed" : std::string(toString(*Worst->TheVerdict))) + ": " +
         Worst->Rule;
}

/// No member of PyTorch's: here the stacks are written once. \p Categories belongs to the
/// sites by position, and is referred to until all is written.
static void putStacks(Pickle &Out, const RunRecord &R, const std::vector<std::string> &Categories,
                      DeviceTrace &Device, DeviceTrace &Host) {
  Out.key("stacks");
  Out.beginList();
  for (size_t I = 0; I < R.Sites.size(); ++I) {
    Out.element();
    Pickle::Shared Frames = Out.share(framesOf(R.Sites[I]));
    (R.Sites[I].OnDevice ? Device : Host).add(R.Sites[I], Frames, Categories[I]);
  }
  Out.endList();
}

static void putTraces(Pickle &Out, const std::vector<DeviceTrace *> &Traces) {
  Out.key("device_traces");
  Out.beginList();
  for (DeviceTrace *Trace : Traces) {
    Out.element();
    Trace->putEvents();
  }
  Out.endList();
}

static void putSegments(Pickle &Out, const std::vector<DeviceTrace *> &Traces) {
  Out.key("segments");
  Out.beginList();
  for (DeviceTrace *Trace : Traces)
    Trace->putSegments();
  Out.endList();
}

std::string memoryVizSnapshot(const RunRecord &R) {
  Pickle Out;
  bool UsesDevice =
      std::any_of(R.Sites.begin(), R.Sites.end(), [](const RecordSite &S) { return S.OnDevice; });
  DeviceTrace Device(Out, 0), Host(Out, UsesDevice ? 1 : 0);
  std::vector<DeviceTrace *> Traces{&Host};
  if (UsesDevice)
    Traces.insert(Traces.begin(), &Device);
  std::vector<std::string> Categories;
  for (const RecordSite &S : R.Sites)
    Categories.push_back(categoryOf(S, R.Findings.Findings));
  Out.beginDictionary();
  putStacks(Out, R, Categories, Device, Host);
  putTraces(Out, Traces);
  putSegments(Out, Traces);
  Out.endDictionary();
  return Out.finish();
}

} // namespace tensorleak
