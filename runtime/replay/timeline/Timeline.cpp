//===-- Timeline.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/timeline/Timeline.h"

#include <algorithm>
#include <array>

namespace tensorleak {
namespace {

/// The host, or the number of a GPU: a program's own device memory lies beside LibTorch's.
using DeviceKey = std::optional<int>;

DeviceKey keyOf(uint8_t Type, int8_t Index) {
  return Type == 0 ? DeviceKey() : DeviceKey(std::max<int>(Index, 0));
}

std::string nameOf(DeviceKey Key) { return Key ? "GPU " + std::to_string(*Key) : "CPU"; }

/// A trace of an older probe has only what was alive at boundaries.
std::vector<trace::LiveMemory> ofBoundaries(const Recording &R) {
  std::vector<trace::LiveMemory> Out;
  for (const trace::Boundary &B : R.Boundaries) {
    Out.push_back({B.Tick, 0, {{0, -1, B.HostLiveBytes, B.HostLiveBytes}}});
    if (B.DeviceLiveBytes)
      Out.back().Devices.push_back({1, 0, B.DeviceLiveBytes, B.DeviceLiveBytes});
  }
  return Out;
}

/// What of one device outlived two steps, by its share and the tick.
class SurvivorsOfDevice {
public:
  void add(const RecordedObject &O, Share Kind) {
    auto Bytes = static_cast<int64_t>(O.Bytes);
    Changes[O.BirthTick + 1][size_t(Kind)] += Bytes;
    if (O.DeathTick)
      Changes[*O.DeathTick + 1][size_t(Kind)] -= Bytes;
  }

  /// What was alive when \p Tick began. To be asked in ascending order.
  void fill(uint64_t Tick, MemoryPoint &Out) {
    for (; !Changes.empty() && Changes.begin()->first <= Tick; Changes.erase(Changes.begin()))
      for (size_t I = 0; I < Now.size(); ++I)
        Now[I] += Changes.begin()->second[I];
    Out.Standing = Now[size_t(Share::Standing)];
    Out.Gradients = Now[size_t(Share::Gradients)];
    Out.OptimizerState = Now[size_t(Share::OptimizerState)];
    Out.Kept = Now[size_t(Share::Kept)];
  }

private:
  using Shares = std::array<int64_t, 4>;
  std::map<uint64_t, Shares> Changes;
  Shares Now{};
};

/// Takes in \p Next, which follows.
void join(MemoryPoint &Into, const MemoryPoint &Next) {
  MemoryPoint Before = Into;
  Into = Next;
  Into.Low = std::min(Before.Low, Next.Low);
  if (Before.High >= Next.High) {
    Into.High = Before.High;
    Into.HighRound = Before.HighRound;
  }
}

/// The last point is of the end, where main's variables are gone: it stands for nothing else.
std::vector<MemoryPoint> thinnedOut(const std::vector<MemoryPoint> &All, size_t MaxPoints) {
  if (All.size() <= MaxPoints)
    return All;
  size_t Together = (All.size() - 1 + MaxPoints - 2) / (MaxPoints - 1);
  std::vector<MemoryPoint> Out;
  for (size_t I = 0; I + 1 < All.size(); ++I)
    if (I % Together == 0)
      Out.push_back(All[I]);
    else
      join(Out.back(), All[I]);
  Out.push_back(All.back());
  return Out;
}

class TimelineBuilder {
public:
  TimelineBuilder(const Recording &R, const StepClock &Clock) : R(R), Clock(Clock) {
    ShareOf KindOf(R, &Clock);
    for (const auto &[Number, Object] : R.Objects)
      if (auto Site = R.Sites.find(Object.SiteId);
          Site != R.Sites.end() && Site->second.DeviceType != trace::ProgramHeap)
        Survivors[keyOf(Site->second.DeviceType, Site->second.DeviceIndex)].add(Object,
                                                                                KindOf(Object));
  }

  void add(const trace::LiveMemory &L, bool IsLast) {
    // Nothing follows the last: what was born in its own tick is alive.
    uint64_t Seen = IsLast && R.End ? L.Tick + 1 : L.Tick;
    for (const trace::DeviceBytes &D : L.Devices) {
      DeviceKey Key = keyOf(D.DeviceType, D.DeviceIndex);
      MemoryPoint P;
      P.Round = P.HighRound = Clock.stepOf(L.Tick) * Clock.RoundsPerStep;
      P.Microseconds = L.Microseconds;
      P.Live = P.Low = static_cast<int64_t>(D.Live);
      P.High = static_cast<int64_t>(D.High);
      Survivors[Key].fill(Seen, P);
      Finished[Key] = Finished[Key] || (IsLast && R.End); // a round that was begun goes before it
      put(Key, P, IsLast || endsRound(L.Tick));
    }
  }

  std::vector<DeviceTimeline> finish(size_t MaxPoints) {
    std::vector<DeviceTimeline> Out;
    for (auto &[Key, Points] : ByDevice)
      Out.push_back({nameOf(Key), thinnedOut(Points, MaxPoints), reserved(Key)});
    return Out;
  }

private:
  bool endsRound(uint64_t Tick) const {
    return Clock.steps() == 0 || Clock.Inferred ||
           std::binary_search(Clock.Ticks.begin(), Clock.Ticks.end(), Tick);
  }

  /// A backward pass in the middle of a round makes no point of its own.
  void put(DeviceKey Key, const MemoryPoint &P, bool EndsRound) {
    std::vector<MemoryPoint> &Points = ByDevice[Key];
    if (Points.empty() || Finished[Key])
      Points.push_back(P);
    else
      join(Points.back(), P);
    Finished[Key] = EndsRound;
  }

  std::vector<ReservedPoint> reserved(DeviceKey Key) const {
    std::vector<ReservedPoint> Out;
    for (const trace::DeviceMemory &D : R.DeviceMemory)
      if (keyOf(D.DeviceType, D.DeviceIndex) == Key)
        Out.push_back(
            {Clock.stepOf(D.Tick) * Clock.RoundsPerStep, static_cast<int64_t>(D.Reserved)});
    return Out;
  }

  const Recording &R;
  const StepClock &Clock;
  std::map<DeviceKey, SurvivorsOfDevice> Survivors;
  std::map<DeviceKey, std::vector<MemoryPoint>> ByDevice;
  std::map<DeviceKey, bool> Finished;
};

} // namespace

std::vector<DeviceTimeline> timelineOf(const Recording &R, const StepClock &Clock,
                                       size_t MaxPoints) {
  TimelineBuilder Builder(R, Clock);
  std::vector<trace::LiveMemory> Older;
  if (R.LiveMemory.empty())
    Older = ofBoundaries(R);
  const std::vector<trace::LiveMemory> &All = Older.empty() ? R.LiveMemory : Older;
  for (size_t I = 0; I < All.size(); ++I)
    Builder.add(All[I], I + 1 == All.size());
  return Builder.finish(MaxPoints);
}

} // namespace tensorleak
