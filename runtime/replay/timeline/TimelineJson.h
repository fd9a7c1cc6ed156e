//===-- TimelineJson.h - Memory over time in a record ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are many points: each is a list of numbers, in the order of MemoryPoint's members.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_TIMELINE_TIMELINEJSON_H
#define TENSORLEAK_RUNTIME_REPLAY_TIMELINE_TIMELINEJSON_H

#include "runtime/replay/timeline/Timeline.h"

#include <nlohmann/json.hpp>

namespace tensorleak {

nlohmann::json toJson(const std::vector<DeviceTimeline> &All);
/// \throws nlohmann::json::exception if it is something else.
std::vector<DeviceTimeline> timelinesFromJson(const nlohmann::json &All);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_TIMELINE_TIMELINEJSON_H
