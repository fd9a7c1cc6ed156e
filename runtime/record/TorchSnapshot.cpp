//===-- TorchSnapshot.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/TorchSnapshot.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <stdexcept>

namespace tensorleak {
namespace {

int64_t numberOf(const PickleValue &From, const char *Name) {
  const PickleValue *Member = From.get(Name);
  return Member ? Member->number() : 0;
}

std::string textOf(const PickleValue &From, const char *Name) {
  const PickleValue *Member = From.get(Name);
  return Member ? Member->text() : "";
}

const PickleValue::List &listOf(const PickleValue &From, const char *Name) {
  static const PickleValue Nothing;
  const PickleValue *Member = From.get(Name);
  return (Member ? *Member : Nothing).elements();
}

bool contains(const std::string &Text, const char *Part) {
  return Text.find(Part) != std::string::npos;
}

/// A frame of the user's own, in C++ or Python.
bool isUsers(const Frame &F) {
  const std::string &File = F.Where.File;
  bool IsTorchs = contains(File, "-packages/torch/") || contains(File, "<frozen ");
  bool IsScript = File.size() > 3 && File.compare(File.size() - 3, 3, ".py") == 0;
  return !IsTorchs && (IsScript || isUserSource(File));
}

/// A function that only takes the stack down (torch/csrc/profiler/unwind,
/// torch/csrc/profiler/combined_traceback.cpp).
bool isRecorder(const std::string &Function) {
  return Function.rfind("torch::unwind::", 0) == 0 ||
         Function.rfind("torch::CapturedTraceback::", 0) == 0;
}

/// The user's frames; where none is, what LibTorch was doing.
RecordSite siteOf(const PickleValue &From) {
  RecordSite Out;
  Out.OnDevice = true;
  std::string Doing;
  for (const PickleValue::Ref &F : listOf(From, "frames")) {
    Frame Now{textOf(*F, "name"),
              {textOf(*F, "filename"), static_cast<unsigned>(numberOf(*F, "line")), 0}};
    if (isUsers(Now))
      Out.Frames.push_back(Now);
    else if (Doing.empty() && !isRecorder(Now.Function))
      Doing = Now.Function;
  }
  if (Out.Frames.empty() && !Doing.empty())
    Out.Ops.push_back(Doing);
  return Out;
}

/// Older snapshots have the frames of a block in its history.
RecordSite siteOfBlock(const PickleValue &Block) {
  const PickleValue::List &History = listOf(Block, "history");
  return Block.get("frames") || History.empty() ? siteOf(Block) : siteOf(*History.front());
}

int64_t sizeOfBlock(const PickleValue &Block) {
  int64_t Requested = numberOf(Block, "requested_size");
  return Requested ? Requested : numberOf(Block, "size");
}

/// The memory of one device: what its history shows, then what was there before.
class DeviceMemory {
public:
  explicit DeviceMemory(const PickleValue::List &History) : End(History.size()) {
    for (size_t I = 0; I < History.size(); ++I)
      addEvent(*History[I], I + 1);
  }

  void addBlock(int64_t Address, const PickleValue &Block) {
    std::string State = textOf(Block, "state");
    bool Active = State == "active_allocated" || State == "active_pending_free";
    if (Active && !Live.count(Address))
      add(siteOfBlock(Block), {sizeOfBlock(Block), 0, std::nullopt, false});
  }

  /// Fills in what each place held when the device held most.
  void finish(RunRecord &Out) {
    auto [Bytes, Moment] = peak();
    Out.PeakBytes = std::max(Out.PeakBytes, Bytes);
    for (auto &[Key, Site] : Sites) {
      for (const RecordObject &O : Site.Objects) {
        bool AtPeak = O.Birth <= Moment && (!O.Death || *O.Death > Moment);
        Site.PeakBytes += AtPeak ? O.Bytes : 0;
        Site.TotalBytes += O.Death ? 0 : O.Bytes;
      }
      Site.Allocations = Site.Objects.size();
      Out.Allocations += Site.Allocations;
      Out.Sites.push_back(std::move(Site));
    }
    for (std::string &Remark : Remarks)
      Out.Remarks.push_back(std::move(Remark));
  }

private:
  using Place = std::pair<std::string, size_t>; ///< a site and the object in it

  Place add(RecordSite New, const RecordObject &Object) {
    std::string Key = siteKey(New, /*WithLines=*/true);
    RecordSite &Site = Sites.try_emplace(Key, std::move(New)).first->second;
    Site.Objects.push_back(Object);
    return {Key, Site.Objects.size() - 1};
  }

  void addEvent(const PickleValue &Event, uint64_t Time) {
    std::string Action = textOf(Event, "action");
    int64_t Address = numberOf(Event, "addr"), Size = numberOf(Event, "size");
    if (Action == "alloc")
      Live[Address] = add(siteOf(Event), {Size, Time, std::nullopt, false});
    else if (Action == "free_completed" || Action == "free")
      addFree(Address, Size, Time);
    else if (Action == "oom")
      Remarks.push_back("ran out of memory when asked for " + formatBytes(Size));
  }

  /// Of what was there before the history began, the place is not known.
  void addFree(int64_t Address, int64_t Size, uint64_t Time) {
    auto Known = Live.find(Address);
    if (Known == Live.end()) {
      add(siteOf({}), {Size, 0, Time, false});
      return;
    }
    Sites.at(Known->second.first).Objects[Known->second.second].Death = Time;
    Live.erase(Known);
  }

  /// The most bytes, and when that was.
  std::pair<int64_t, uint64_t> peak() const {
    std::vector<int64_t> Change(End + 2);
    for (const auto &[Key, Site] : Sites)
      for (const RecordObject &O : Site.Objects) {
        Change[O.Birth] += O.Bytes;
        if (O.Death)
          Change[*O.Death] -= O.Bytes;
      }
    int64_t Bytes = 0, Most = 0;
    uint64_t Moment = 0;
    for (uint64_t Time = 0; Time < Change.size(); ++Time) {
      Bytes += Change[Time];
      if (Bytes > Most)
        Most = Bytes, Moment = Time;
    }
    return {Most, Moment};
  }

  uint64_t End;
  std::map<std::string, RecordSite> Sites;
  std::map<int64_t, Place> Live;
  std::vector<std::string> Remarks;
};

/// Where blocks have no address they follow each other.
void addSegment(const PickleValue &Segment, DeviceMemory &Memory) {
  int64_t Address = numberOf(Segment, "address");
  for (const PickleValue::Ref &Block : listOf(Segment, "blocks")) {
    Memory.addBlock(Address, *Block);
    Address += numberOf(*Block, "size");
  }
}

} // namespace

bool looksLikePickle(std::string_view Bytes) {
  return Bytes.size() > 2 && Bytes[0] == '\x80' && Bytes[1] >= 2 && Bytes[1] <= 5;
}

RunRecord recordOfSnapshot(const PickleValue &Snapshot) {
  if (!Snapshot.get("segments") || !Snapshot.get("device_traces"))
    throw std::runtime_error("it has no segments and device_traces");
  std::map<size_t, DeviceMemory> Devices;
  const PickleValue::List &Traces = listOf(Snapshot, "device_traces");
  for (size_t I = 0; I < Traces.size(); ++I)
    Devices.emplace(I, Traces[I]->elements());
  for (const PickleValue::Ref &Segment : listOf(Snapshot, "segments"))
    addSegment(
        *Segment,
        Devices.try_emplace(static_cast<size_t>(numberOf(*Segment, "device")), PickleValue::List())
            .first->second);
  RunRecord Out;
  Out.IsSnapshot = true;
  Out.Remarks.push_back(
      "a snapshot of PyTorch's has no steps: growth per step cannot be determined");
  for (auto &[Index, Memory] : Devices)
    Memory.finish(Out);
  return Out;
}

} // namespace tensorleak
