//===-- ChromeTrace.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/ChromeTrace.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace tensorleak {
namespace {

class ProcessEvents {
public:
  ProcessEvents(const RunRecord &R, size_t Number, json &Events)
      : R(R), Number(Number), Events(Events) {}

  void add() {
    Events.push_back(
        {{"ph", "M"},
         {"name", "process_name"},
         {"pid", Number},
         {"args", {{"name", R.name() + (R.Command.empty() ? "" : ": " + R.Command[0])}}}});
    for (const DeviceTimeline &D : R.Memory)
      addDevice(D);
    if (!R.Memory.empty())
      addSteps(R.Memory.front().Points);
  }

private:
  static uint64_t timeOf(const MemoryPoint &P) {
    constexpr uint64_t Millisecond = 1000;
    return P.Microseconds ? P.Microseconds : P.Round * Millisecond;
  }

  void addCounter(const std::string &Name, uint64_t Time, json Values) {
    Events.push_back(
        {{"ph", "C"}, {"name", Name}, {"pid", Number}, {"ts", Time}, {"args", std::move(Values)}});
  }

  void addDevice(const DeviceTimeline &D) {
    for (const MemoryPoint &P : D.Points) {
      int64_t OfTheStep = P.Live - P.Standing - P.Gradients - P.OptimizerState - P.Kept;
      addCounter(D.Device + " live bytes", timeOf(P),
                 {{"from before the steps", P.Standing},
                  {"optimizer state", P.OptimizerState},
                  {"gradients", P.Gradients},
                  {"kept from earlier steps", P.Kept},
                  {"of the step itself", std::max<int64_t>(OfTheStep, 0)}});
      addCounter(D.Device + " most bytes within the step", timeOf(P), {{"bytes", P.High}});
    }
    for (const ReservedPoint &P : D.Reserved)
      addCounter(D.Device + " reserved bytes", timeOfRound(D, P.Round), {{"bytes", P.Bytes}});
  }

  static uint64_t timeOfRound(const DeviceTimeline &D, uint64_t Round) {
    auto At = std::find_if(D.Points.begin(), D.Points.end(),
                           [&](const MemoryPoint &P) { return P.Round >= Round; });
    return At == D.Points.end() ? (D.Points.empty() ? 0 : timeOf(D.Points.back())) : timeOf(*At);
  }

  /// A point may stand for several steps.
  void addSteps(const std::vector<MemoryPoint> &Points) {
    for (size_t I = 1; I < Points.size(); ++I) {
      uint64_t First = Points[I - 1].Round + 1, Last = Points[I].Round;
      if (Last < First)
        continue;
      std::string Name = First == Last
                             ? "step " + std::to_string(Last)
                             : "steps " + std::to_string(First) + " to " + std::to_string(Last);
      uint64_t Begin = timeOf(Points[I - 1]);
      Events.push_back({{"ph", "X"},
                        {"name", Name},
                        {"pid", Number},
                        {"tid", 0},
                        {"ts", Begin},
                        {"dur", timeOf(Points[I]) - Begin}});
    }
  }

  const RunRecord &R;
  size_t Number;
  json &Events;
};

} // namespace

json chromeTrace(const Job &J) {
  json Events = json::array();
  for (size_t I = 0; I < J.Parts.size(); ++I)
    ProcessEvents(J.Parts[I], I, Events).add();
  return {{"displayTimeUnit", "ms"}, {"traceEvents", Events}};
}

} // namespace tensorleak
