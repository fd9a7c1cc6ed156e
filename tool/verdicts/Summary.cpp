//===-- Summary.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "verdicts/Summary.h"
#include "runtime/replay/advice/Advice.h"
#include "runtime/replay/advice/DeviceMemory.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace tensorleak {
namespace {

/// "; alive then: 3.2 GiB from train.cpp:31 (aten::relu), ...": the largest three.
std::string aliveThen(const Recording &R, const trace::OutOfMemory &O, Symbolizer &Symbols) {
  constexpr size_t MaxNamed = 3;
  std::vector<trace::SiteBytes> Largest = O.Sites;
  std::sort(Largest.begin(), Largest.end(),
            [](const auto &A, const auto &B) { return A.Bytes > B.Bytes; });
  std::string Out;
  for (size_t I = 0; I < Largest.size() && I < MaxNamed; ++I)
    Out += (I ? ", " : "; alive then: ") + formatBytes(static_cast<int64_t>(Largest[I].Bytes)) +
           " from " + describeSite(R, Largest[I].SiteId, Symbols);
  return Out;
}

/// Of a program that ran before.
std::string describeWatch(const Recording &R) {
  std::time_t Began = static_cast<std::time_t>(R.TheProcess.StartTime);
  char When[32] = "";
  std::tm Parts{};
  std::strftime(When, sizeof When, "%H:%M:%S", localtime_r(&Began, &Parts));
  std::string For =
      R.End ? " for " + std::to_string((R.End->Microseconds + 500000) / 1000000) + " s" : "";
  return std::string("watched from ") + When + " on" + For + "; memory taken before is not counted";
}

/// How it ended, unless as programs should; "" then.
std::string unusualEnd(const Recording &R) {
  if (!R.End)
    return "the record of this process has no end: it was killed, became another program by exec, "
           "or goes on; judged is what had been written by then";
  if (R.End->TheKind != trace::EndKind::Signal)
    return "";
  const char *Name = strsignal(int(R.End->Code));
  return "a signal ended the program: " + (Name ? std::string(Name) : std::to_string(R.End->Code));
}

std::string ranOutOfMemory(const Recording &R, const trace::OutOfMemory &O, Symbolizer &Symbols) {
  return "ran out of memory when asked for " + formatBytes(static_cast<int64_t>(O.Bytes)) +
         describePool(O.Pool, O.Bytes) + aliveThen(R, O, Symbols);
}

/// What the steps were, and what could not be judged by them.
std::vector<std::string> remarksOfJudging(const Recording &R, const RunFacts &Run) {
  std::vector<std::string> Out;
  // A program of tests is no loop.
  if (Run.Clock.steps() || R.Assertions.empty())
    Out.push_back(Run.ClockRemark);
  Out.push_back(growthWithoutPlace(Run));
  Out.push_back(modulesWithoutLines(Run));
  for (std::string &Remark : hostMemoryRemarks(Run))
    Out.push_back(std::move(Remark));
  for (const BlindSpot &Spot : Run.BlindSpots)
    Out.push_back(Spot.Why);
  if (std::string Why = whyNotSearched(R); !Why.empty())
    Out.push_back("who keeps the memory could not be looked for: " + Why);
  Out.erase(std::remove(Out.begin(), Out.end(), ""), Out.end());
  return Out;
}

bool usesLibTorch(const Recording &R) {
  return std::any_of(R.Modules.begin(), R.Modules.end(), [](const trace::Module &M) {
    return M.Path.find("libtorch") != std::string::npos;
  });
}

} // namespace

RunSummary summaryOf(const Recording &R, const RunFacts &Run, Symbolizer &Symbols) {
  RunSummary Summary{static_cast<uint32_t>(Run.Clock.rounds()),
                     Run.Clock.Name,
                     Run.Peak.Bytes,
                     {},
                     {},
                     {},
                     usesLibTorch(R)};
  if (R.Settings.count(trace::AttachedSetting))
    Summary.Remarks.push_back(describeWatch(R));
  if (std::string End = unusualEnd(R); !End.empty())
    Summary.Remarks.push_back(std::move(End));
  for (std::string &Remark : remarksOfJudging(R, Run))
    Summary.Remarks.push_back(std::move(Remark));
  if (R.ExpectedUnknown)
    Summary.Remarks.push_back("tensorleak_expect_retained() was called " +
                              std::to_string(R.ExpectedUnknown) +
                              " times with a pointer at which no known memory starts");
  for (const trace::OutOfMemory &O : R.OutOfMemories)
    Summary.Remarks.push_back(ranOutOfMemory(R, O, Symbols));
  for (const std::string &Line : describeDeviceMemory(R))
    Summary.Remarks.push_back(Line);
  return Summary;
}

std::vector<std::string> adviceFor(const Recording &R, const RunFacts &Run,
                                   const std::vector<Finding> &Judged) {
  PeakShares Shares = peakShares(R);
  if (Shares.Total == 0)
    return {};
  std::vector<Advice> All = adviseOn(Run, Shares, Judged);
  std::vector<std::string> Out{"at its highest " + describeShares(Shares),
                               All.empty() ? "nothing was seen that would lower it by a hundredth"
                                           : "what would lower it, each by itself:"};
  for (const Advice &A : All)
    Out.push_back("  " + describeAdvice(A));
  return Out;
}

} // namespace tensorleak
