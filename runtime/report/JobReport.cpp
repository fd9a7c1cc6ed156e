//===-- JobReport.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/JobReport.h"

#include "findings/VerdictText.h"
#include "runtime/report/PeakReport.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace tensorleak {
namespace {

void printSite(std::ostream &Out, const JobSite &S, const Job &J) {
  Out << describe(S.Site) << " grows\n";
  for (size_t Part = 0; Part < J.Parts.size(); ++Part)
    if (S.BytesPerStep[Part] || S.TotalBytes[Part])
      Out << "  " << J.Parts[Part].name() << ": " << formatBytes(S.BytesPerStep[Part])
          << " per step, " << formatBytes(S.TotalBytes[Part]) << " held after the last\n";
}

std::string growthOf(const RunRecord &Part) {
  std::string Out = Part.bytesPerStep() ? formatBytes(Part.bytesPerStep()) + " per step"
                    : grows(Part)       ? "a leak without tensor memory"
                                        : "nothing grows";
  return Part.Steps ? Out : "no step was seen: growth cannot be determined";
}

void printPart(std::ostream &Out, const RunRecord &Part) {
  Out << "  " << std::left << std::setw(14) << Part.name() << std::right << std::setw(8)
      << Part.Steps << " steps" << std::setw(12) << formatBytes(Part.PeakBytes) << " at the peak   "
      << growthOf(Part) << '\n';
  for (const std::string &Remark : Part.Remarks)
    Out << "    " << Remark << '\n';
}

size_t piecesOf(const RecordSite &S) {
  return static_cast<size_t>(std::count_if(S.Objects.begin(), S.Objects.end(),
                                           [](const RecordObject &O) { return !O.Death; }));
}

} // namespace

void printLargest(std::ostream &Out, const RunRecord &R) {
  constexpr size_t MaxPlaces = 10;
  std::vector<const RecordSite *> Holding;
  for (const RecordSite &S : R.Sites)
    if (S.TotalBytes)
      Holding.push_back(&S);
  std::stable_sort(Holding.begin(), Holding.end(), [](const RecordSite *A, const RecordSite *B) {
    return A->TotalBytes > B->TotalBytes;
  });
  for (size_t I = 0; I < Holding.size() && I < MaxPlaces; ++I)
    Out << "alive: " << formatBytes(Holding[I]->TotalBytes) << " in " << piecesOf(*Holding[I])
        << " piece(s) from " << describe(*Holding[I]) << '\n';
  if (Holding.size() > MaxPlaces)
    Out << "alive: less from " << Holding.size() - MaxPlaces << " other places\n";
}

RunSummary summaryOf(const RunRecord &R, const std::string &Folder) {
  return {R.Steps, R.Clock, R.PeakBytes, R.Remarks, describePeak(R, Folder), R.Advice};
}

void printJobSummary(std::ostream &Out, const Job &J, const FindingSet &Merged) {
  for (const JobSite &S : growingSites(J))
    printSite(Out, S, J);
  Out << "tensorleak: " << J.Parts.size() << " processes recorded\n";
  for (const RunRecord &Part : J.Parts)
    printPart(Out, Part);
  for (const std::string &Remark : J.Remarks)
    Out << "tensorleak: " << Remark << '\n';
  Out << "tensorleak: " << countsOf(Merged.Findings) << "; " << whoGrows(J) << '\n';
}

} // namespace tensorleak
