//===-- PeakReport.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/PeakReport.h"

#include <algorithm>

namespace tensorleak {
namespace {

constexpr size_t MaxPlaces = 10;
constexpr int64_t SmallestShare = 100; // a hundredth

std::vector<const RecordSite *> largestAtPeak(const RunRecord &R) {
  std::vector<const RecordSite *> Out;
  for (const RecordSite &S : R.Sites)
    if (S.PeakBytes > 0 && S.PeakBytes >= R.PeakBytes / SmallestShare)
      Out.push_back(&S);
  std::stable_sort(Out.begin(), Out.end(), [](const RecordSite *A, const RecordSite *B) {
    return A->PeakBytes > B->PeakBytes;
  });
  Out.resize(std::min(Out.size(), MaxPlaces));
  return Out;
}

std::string operatorsOf(const RecordSite &S) {
  if (S.Ops.empty() || S.Frames.empty()) // describe() names them then
    return "";
  std::string Others = S.Ops.size() > 1 ? " and " + std::to_string(S.Ops.size() - 1) + " more" : "";
  return ", " + S.Ops.front() + Others;
}

/// " from before the first step", or how much of it is when. Nothing without steps.
std::string timesOf(const RecordSite &S, const RunRecord &R) {
  bool IsOld = !S.PeakCount && !S.PeakBefore && !S.PeakEarlier; // a record without these
  if (!R.Steps || IsOld)
    return "";
  if (S.PeakBefore == S.PeakBytes)
    return ", from before the steps";
  if (S.PeakBefore + S.PeakEarlier == 0)
    return ", of the step";
  int64_t OfTheStep = S.PeakBytes - S.PeakBefore - S.PeakEarlier;
  std::string Out;
  auto Add = [&](int64_t Bytes, const char *When) {
    if (Bytes > 0)
      Out += ", " + formatBytes(Bytes) + ' ' + When;
  };
  Add(S.PeakBefore, "from before the steps");
  Add(S.PeakEarlier, "kept from earlier steps");
  Add(OfTheStep, "of the step");
  return Out;
}

std::string describePlace(const RecordSite &S, const RunRecord &R, const std::string &Folder) {
  std::string Count = S.PeakCount ? " in " + std::to_string(S.PeakCount) +
                                        (S.PeakCount == 1 ? " allocation" : " allocations")
                                  : "";
  return "  " + formatBytes(S.PeakBytes) + Count + " from " + describe(S, Folder) + operatorsOf(S) +
         timesOf(S, R);
}

} // namespace

std::vector<std::string> describePeak(const RunRecord &R, const std::string &Folder) {
  std::vector<std::string> Out;
  for (const RecordSite *S : largestAtPeak(R))
    Out.push_back(describePlace(*S, R, Folder));
  if (!Out.empty())
    Out.insert(Out.begin(), "who held the peak of " + formatBytes(R.PeakBytes) + ":");
  return Out;
}

} // namespace tensorleak
