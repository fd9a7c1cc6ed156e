//===-- VerdictText.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/VerdictText.h"

#include <algorithm>

namespace tensorleak {

std::string nameOfStep(const std::string &Per) { return Per.empty() ? "step" : Per; }

/// "2 KiB per step (2048 B)": to the byte, where the short form is not that already.
static std::string bytesPer(const std::string &Step, int64_t Bytes) {
  const std::string Short = formatBytes(Bytes), Exact = std::to_string(Bytes) + " B";
  return Short + " per " + Step + (Short == Exact ? "" : " (" + Exact + ")");
}

std::string describeFigures(const Evidence &E) {
  std::string Out;
  auto Add = [&Out](const std::string &Text) { Out += (Out.empty() ? "" : ", ") + Text; };
  if (E.BytesPerStep && *E.BytesPerStep)
    Add(bytesPer(nameOfStep(E.Per), *E.BytesPerStep));
  if (E.HostBytesPerStep)
    Add(formatBytes(*E.HostBytesPerStep) + " of host memory per step");
  if (E.TotalBytes && *E.TotalBytes)
    Add(formatBytes(*E.TotalBytes) + " in all");
  if (E.PeakBytes)
    Add(formatBytes(*E.PeakBytes) + " at the peak");
  return Out;
}

std::string describeEvidence(const Finding &F) {
  std::string Figures = describeFigures(F.TheEvidence);
  const std::string &Reason = F.TheEvidence.Reason;
  return Figures + (Figures.empty() || Reason.empty() ? "" : "; ") + Reason;
}

std::string messageWithVerdict(const Finding &F) {
  if (!F.TheVerdict)
    return F.Message;
  std::string Why = describeEvidence(F);
  return F.Message + "; " + std::string(wordsFor(*F.TheVerdict)) + (Why.empty() ? "" : ": ") + Why;
}

std::string countsOf(const std::vector<Finding> &Findings) {
  std::string Out;
  for (Verdict V : AllVerdicts) {
    auto Count = std::count_if(Findings.begin(), Findings.end(), [V](const Finding &F) {
      return F.TheVerdict == V && !F.Suppressed;
    });
    Out += (Out.empty() ? "" : ", ") + std::to_string(Count) + ' ' + std::string(wordsFor(V));
  }
  return Out;
}

} // namespace tensorleak
