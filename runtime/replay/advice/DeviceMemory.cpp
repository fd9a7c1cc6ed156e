//===-- DeviceMemory.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/advice/DeviceMemory.h"
#include "findings/Finding.h"
#include "runtime/replay/growth/Growth.h"

namespace tensorleak {
namespace {

using trace::DeviceMemory;
using Samples = std::vector<DeviceMemory>;

std::string bytes(uint64_t N) { return formatBytes(static_cast<int64_t>(N)); }

/// What is neither live nor between live blocks: segments that could be given back.
uint64_t freeSegments(const DeviceMemory &D) {
  uint64_t Used = D.Allocated + D.Between;
  return D.Reserved > Used ? D.Reserved - Used : 0;
}

std::string splitOf(const DeviceMemory &D) {
  std::string Live = bytes(D.Allocated) + " were live";
  if (!D.SegmentsKnown)
    return Live + " and " + bytes(D.Reserved - D.Allocated) + " free";
  return Live + ", " + bytes(D.Between) + " lay free between live blocks and " +
         bytes(freeSegments(D)) + " in whole free segments";
}

/// \p Highest is the last record of all, \p D the last of a step.
std::string describe(const DeviceMemory &Highest, const DeviceMemory &D) {
  return "GPU " + std::to_string(D.DeviceIndex) + ": LibTorch's allocator reserved at most " +
         bytes(Highest.MostReserved) + ", of which " + bytes(Highest.AllocatedThen) +
         " were live; at the last look " + splitOf(D);
}

/// From the end of the warm-up on, what was reserved more lies between live blocks.
std::string fragmentationOf(const Samples &All) {
  const DeviceMemory *First = nullptr, &Last = All.back();
  for (const DeviceMemory &D : All)
    if (!First && D.SegmentsKnown && D.Generation >= warmUpSteps(uint32_t(Last.Generation)))
      First = &D;
  bool Judged = First && Last.SegmentsKnown && Last.Generation >= MinStepsToJudge &&
                Last.Reserved > First->Reserved && Last.Between > First->Between;
  if (!Judged)
    return "";
  uint64_t More = Last.Reserved - First->Reserved, Pieces = Last.Between - First->Between;
  bool Matters = 10 * More > First->Reserved && 2 * Pieces > More;
  if (!Matters)
    return "";
  return "GPU " + std::to_string(Last.DeviceIndex) + ": " + bytes(More) +
         " more were reserved between steps " + std::to_string(First->Generation) + " and " +
         std::to_string(Last.Generation) + ", and " + bytes(Pieces) +
         " more lie between live blocks: that is fragmentation, no leak";
}

std::map<int8_t, Samples> samplesByDevice(const Recording &R) {
  std::map<int8_t, Samples> Out;
  for (const DeviceMemory &D : R.DeviceMemory)
    Out[D.DeviceIndex].push_back(D);
  return Out;
}

/// Without the look at the end, when main's variables are gone, if there is another.
Samples ofSteps(const Recording &R, Samples All) {
  auto IsEnd = [&R](const DeviceMemory &D) { return R.End && D.Tick == R.End->Tick; };
  while (All.size() > 1 && IsEnd(All.back()))
    All.pop_back();
  return All;
}

} // namespace

std::vector<std::string> describeDeviceMemory(const Recording &R) {
  std::vector<std::string> Out;
  for (const auto &[Index, All] : samplesByDevice(R)) {
    Samples Steps = ofSteps(R, All);
    Out.push_back(describe(All.back(), Steps.back()));
    if (std::string Why = fragmentationOf(Steps); !Why.empty())
      Out.push_back(Why);
  }
  return Out;
}

std::string describePool(const DeviceMemory &Pool, uint64_t Wanted) {
  if (!Pool.Reserved)
    return "";
  std::string Out = "; of " + bytes(Pool.Reserved) + " reserved " + splitOf(Pool);
  if (!Pool.SegmentsKnown || Pool.Between < Wanted)
    return Out;
  return Out + ", the largest piece " + bytes(Pool.LargestBetween) +
         ": enough in all, but in pieces (fragmentation)";
}

} // namespace tensorleak
