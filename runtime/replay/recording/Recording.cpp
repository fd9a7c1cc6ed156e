//===-- Recording.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/recording/Recording.h"

#include <regex>
#include <stdexcept>

namespace tensorleak {
namespace {

class RecordingVisitor : public trace::TraceVisitor {
public:
  explicit RecordingVisitor(Recording &Out) : Out(Out) {}
  void visit(const trace::Process &R) override { Out.TheProcess = R; }
  void visit(const trace::Module &R) override { Out.Modules.push_back(R); }
  void visit(const trace::Stack &R) override { Out.Stacks[R.Id] = R; }
  void visit(const trace::OpName &R) override { Out.OpNames[R.Id] = R.Name; }
  void visit(const trace::Site &R) override { Out.Sites[R.Id] = R; }
  void visit(const trace::Born &R) override {
    bool IsSample = trace::SampleNumber::is(R.Object);
    uint64_t Sequence = IsSample ? trace::SampleNumber::sequence(R.Object) : R.Object;
    ofKind(R.Object)[R.Object] = {R.SiteId, R.Bytes, R.Tick, std::nullopt, false, Sequence, 0};
  }
  void visit(const trace::Died &R) override {
    auto &OfKind = ofKind(R.Object);
    auto Object = OfKind.find(R.Object);
    if (Object == OfKind.end())
      return;
    Object->second.DeathTick = R.Tick;
    Object->second.DeathSequence = R.Sequence;
    Object->second.FreedBy = R.Thread;
  }
  void visit(const trace::SiteCounters &R) override {
    Out.Counters[R.SiteId] = R;
    uint64_t Tick = Out.Boundaries.empty() ? 0 : Out.Boundaries.back().Tick;
    Out.LiveSamples[R.SiteId].push_back({Tick, R.LiveBytes, R.MaxBytes});
  }
  void visit(const trace::SitePulse &R) override { Out.Pulses[R.SiteId] = R; }
  void visit(const trace::Boundary &R) override { Out.Boundaries.push_back(R); }
  void visit(const trace::HostHeap &R) override { Out.Heap.push_back(R); }
  void visit(const trace::Census &R) override { Out.Censuses.push_back(R); }
  void visit(const trace::PeakSnapshot &R) override {
    trace::PeakSnapshot &Highest = Out.Peaks[{R.DeviceType, R.DeviceIndex}];
    if (R.TotalBytes >= Highest.TotalBytes)
      Highest = R;
    Out.AllPeaks.push_back(R);
  }
  void visit(const trace::HookState &R) override { Out.Hooks[R.Name] = R; }
  void visit(const trace::PointState &R) override { Out.Points[R.Id] = R; }
  void visit(const trace::OutOfMemory &R) override { Out.OutOfMemories.push_back(R); }
  void visit(const trace::Optimizer &R) override { Out.Optimizers[R.Id] = R; }
  void visit(const trace::Setting &R) override { Out.Settings[R.Name] = R.Value; }
  void visit(const trace::HolderPath &R) override { Out.HolderPaths.push_back(R); }
  void visit(const trace::Search &R) override { Out.Searches.push_back(R); }
  void visit(const trace::GraphCycles &R) override { Out.Cycles.push_back(R); }
  void visit(const trace::CycleSample &R) override { Out.CycleSamples.push_back(R); }
  void visit(const trace::Expected &R) override {
    if (R.Object)
      Out.Expected.insert(R.Object);
    else
      ++Out.ExpectedUnknown;
  }
  void visit(const trace::Assertion &R) override { Out.Assertions[R.Id] = R; }
  void visit(const trace::ThreadEnd &R) override { Out.ThreadEnds.push_back(R); }
  void visit(const trace::PythonLines &R) override { Out.PythonLines[R.StackId] = R; }
  void visit(const trace::DeviceMemory &R) override { Out.DeviceMemory.push_back(R); }
  void visit(const trace::LiveMemory &R) override { Out.LiveMemory.push_back(R); }
  void visit(const trace::Symbol &R) override { Out.Symbols.push_back(R); }
  void visit(const trace::End &R) override { Out.End = R; }

private:
  std::map<uint64_t, RecordedObject> &ofKind(uint64_t Number) {
    return trace::SampleNumber::is(Number) ? Out.Samples : Out.Objects;
  }

  Recording &Out;
};

void markExpected(Recording &R) {
  for (uint64_t Number : R.Expected)
    if (auto Object = R.Objects.find(Number); Object != R.Objects.end())
      Object->second.Expected = true;
}

template <typename... Args> Recording record(const Args &...Source) {
  Recording Out;
  RecordingVisitor Visitor(Out);
  Out.Read = trace::readTrace(Source..., Visitor);
  if (!Out.Read)
    throw std::runtime_error(Out.Read.Error);
  markExpected(Out);
  return Out;
}

} // namespace

static const trace::Stack *stackById(const Recording &R, uint64_t SiteId,
                                     uint64_t trace::Site::*Id) {
  auto Site = R.Sites.find(SiteId);
  if (Site == R.Sites.end())
    return nullptr;
  auto Stack = R.Stacks.find(Site->second.*Id);
  return Stack == R.Stacks.end() ? nullptr : &Stack->second;
}

const trace::Stack *stackOfSite(const Recording &R, uint64_t SiteId) {
  return stackById(R, SiteId, &trace::Site::StackId);
}

const trace::Stack *pythonStackOfSite(const Recording &R, uint64_t SiteId) {
  return stackById(R, SiteId, &trace::Site::PythonStackId);
}

/// CUPTI's names have the version of their interface, and whether it has streams per thread.
static std::string withoutVersion(const std::string &Function) {
  static const std::regex Version("(_ptsz|_ptds|_v[0-9]+)+$");
  return std::regex_replace(Function, Version, "");
}

std::string functionOfSite(const Recording &R, uint64_t SiteId) {
  auto Site = R.Sites.find(SiteId);
  auto Name = Site == R.Sites.end() ? R.OpNames.end() : R.OpNames.find(Site->second.OpId);
  if (Name == R.OpNames.end())
    return "";
  bool IsOfCuda = Site->second.DeviceType >= uint8_t(trace::CudaObject::DeviceMemory);
  return IsOfCuda ? withoutVersion(Name->second) : Name->second;
}

bool FollowedRecording::update() {
  RecordingVisitor Visitor(R);
  R.Read = Trace.readMore(Visitor);
  markExpected(R);
  return static_cast<bool>(R.Read);
}

Recording readRecording(const std::string &Path) { return record(Path); }

Recording readRecording(const std::vector<uint8_t> &Contents, const std::string &Name) {
  return record(Contents, Name);
}

} // namespace tensorleak
