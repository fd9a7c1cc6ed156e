//===-- LiveReport.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/LiveReport.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/verdicts/Matcher.h"

#include <algorithm>
#include <tuple>

namespace tensorleak {
namespace {

std::string nameOf(const SourceSite &S) {
  if (S.Frames.empty() && S.Ops.empty())
    return "unknown";
  std::string Out;
  if (!S.Frames.empty()) {
    const Frame &At = S.Frames.front();
    Out = shortPlace(At);
    if (At.Where.isValid() && !At.Function.empty())
      Out += " (" + At.Function + ")";
  }
  for (const std::string &Op : S.Ops)
    Out += (Out.empty() ? "" : ", ") + Op;
  return S.OnHeap ? Out + ", from malloc or new" : Out;
}

std::string padded(const std::string &Text, size_t Width) {
  return std::string(Width - std::min(Width, Text.size()), ' ') + Text;
}

std::string rowOf(const LivePlace &P) {
  constexpr size_t Width = 11;
  return padded(formatBytes(P.Kept), Width) +
         padded(P.PerRound ? formatBytes(P.PerRound) : "-", Width) + "  " +
         (P.Grows ? "grows  " : "       ") + P.Name;
}

/// Too few rounds tell nothing.
std::string growthOf(const LiveState &State) {
  if (State.Clock.empty() || State.Rounds < MinStepsToJudge)
    return "";
  auto Growing = std::count_if(State.Places.begin(), State.Places.end(),
                               [](const LivePlace &P) { return P.Grows; });
  if (!Growing)
    return ", nothing grows";
  return ", " + std::to_string(Growing) + (Growing == 1 ? " place grows" : " places grow");
}

} // namespace

void updateNumbers(const Recording &R, LiveState &State) {
  StepClock Clock = chooseClock(R);
  State.Rounds = Clock.rounds();
  State.Clock = Clock.steps() ? Clock.Name : "";
  State.Allocations = R.Read.Now.Allocations;
  std::map<std::pair<uint8_t, int8_t>, int64_t> Most;
  for (const trace::LiveMemory &M : R.LiveMemory)
    for (const trace::DeviceBytes &D : M.Devices)
      if (int64_t &High = Most[{D.DeviceType, D.DeviceIndex}]; int64_t(D.High) > High)
        High = int64_t(D.High);
  auto Highest = std::max_element(Most.begin(), Most.end(),
                                  [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Highest == Most.end())
    return;
  auto [Type, Index] = Highest->first;
  State.Device = Type == 0 ? "" : "GPU " + std::to_string(std::max<int>(Index, 0));
  State.Most = Highest->second;
  State.Live = 0;
  for (const trace::DeviceBytes &D : R.LiveMemory.back().Devices)
    if (D.DeviceType == Type && D.DeviceIndex == Index)
      State.Live = int64_t(D.Live);
}

void updatePlaces(const Recording &R, Symbolizer &Symbols, LiveState &State) {
  StepClock Clock = chooseClock(R);
  State.Places.clear();
  for (const SourceSite &S : sourceSites(R, Symbols)) {
    if (S.BytesAtEnd <= 0 || !S.Thing.isMemory())
      continue;
    SiteGrowth G = growthOf(S.Objects, Clock);
    bool Grows = G.TheGrowth == Growth::Growing && G.BytesPerStep > 0;
    State.Places.push_back({nameOf(S), S.BytesAtEnd, Grows ? G.BytesPerStep : 0, Grows});
  }
  std::stable_sort(State.Places.begin(), State.Places.end(),
                   [](const LivePlace &A, const LivePlace &B) {
                     return std::tie(B.Grows, B.Kept) < std::tie(A.Grows, A.Kept);
                   });
}

std::string progressLine(const LiveState &State) {
  std::string Out = "tensorleak: ";
  if (State.Clock.empty())
    Out += std::to_string(State.Allocations) + " allocations, ";
  else
    Out += "round " + std::to_string(State.Rounds) + " (" + State.Clock + "), ";
  return Out + formatBytes(State.Live) + " live" +
         (State.Device.empty() ? "" : " on " + State.Device) + ", " + formatBytes(State.Most) +
         " at most" + growthOf(State);
}

std::vector<std::string> liveTable(const LiveState &State, size_t Lines) {
  std::vector<std::string> Out{progressLine(State), padded("kept", 11) + padded("per round", 11)};
  for (const LivePlace &P : State.Places)
    if (Out.size() < Lines)
      Out.push_back(rowOf(P));
  return Out;
}

} // namespace tensorleak
