//===-- TimelineJson.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/timeline/TimelineJson.h"

using nlohmann::json;

namespace tensorleak {
namespace {

json writePoint(const MemoryPoint &P) {
  return {P.Round,    P.Microseconds, P.Live,           P.Low,  P.High,
          P.Standing, P.Gradients,    P.OptimizerState, P.Kept, P.HighRound};
}

MemoryPoint readPoint(const json &P) {
  return {P.at(0), P.at(1), P.at(2), P.at(3), P.at(4), P.at(5), P.at(6), P.at(7), P.at(8), P.at(9)};
}

json writeDevice(const DeviceTimeline &D) {
  json Points = json::array(), Reserved = json::array();
  for (const MemoryPoint &P : D.Points)
    Points.push_back(writePoint(P));
  for (const ReservedPoint &P : D.Reserved)
    Reserved.push_back({P.Round, P.Bytes});
  return {{"device", D.Device}, {"points", Points}, {"reserved", Reserved}};
}

DeviceTimeline readDevice(const json &D) {
  DeviceTimeline Out;
  Out.Device = D.at("device");
  for (const json &P : D.at("points"))
    Out.Points.push_back(readPoint(P));
  for (const json &P : D.at("reserved"))
    Out.Reserved.push_back({P.at(0), P.at(1)});
  return Out;
}

} // namespace

json toJson(const std::vector<DeviceTimeline> &All) {
  json Out = json::array();
  for (const DeviceTimeline &D : All)
    Out.push_back(writeDevice(D));
  return Out;
}

std::vector<DeviceTimeline> timelinesFromJson(const json &All) {
  std::vector<DeviceTimeline> Out;
  for (const json &D : All)
    Out.push_back(readDevice(D));
  return Out;
}

} // namespace tensorleak
