//===-- DiffReport.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/DiffReport.h"

#include <ostream>
#include <sstream>

namespace tensorleak {
namespace {

void printFigure(std::ostream &Out, const char *Name, int64_t Before, int64_t After) {
  if (Before || After)
    Out << "  " << Name << ": " << formatBytes(Before) << " -> " << formatBytes(After) << '\n';
}

void printSite(std::ostream &Out, const SiteChange &S) {
  Out << toString(S.TheChange) << ": " << describe(S.Site) << '\n';
  printFigure(Out, "per step", S.Before.BytesPerStep, S.After.BytesPerStep);
  printFigure(Out, "held after the last step", S.Before.TotalBytes, S.After.TotalBytes);
  printFigure(Out, "at the peak", S.Before.PeakBytes, S.After.PeakBytes);
}

std::string nodesText(double Nodes) {
  std::ostringstream Out;
  Out.precision(3);
  Out << Nodes;
  return Out.str();
}

void printWhole(std::ostream &Out, const RunDiff &D) {
  Out << "the whole: " << D.StepsBefore << " -> " << D.StepsAfter << " steps\n";
  printFigure(Out, "per step", D.Before.BytesPerStep, D.After.BytesPerStep);
  printFigure(Out, "at the peak", D.Before.PeakBytes, D.After.PeakBytes);
  if (D.NodesBefore || D.NodesAfter)
    Out << "  autograd nodes per step: " << nodesText(D.NodesBefore) << " -> "
        << nodesText(D.NodesAfter) << '\n';
}

} // namespace

void printDiff(std::ostream &Out, const RunDiff &D) {
  for (const SiteChange &S : D.Sites)
    printSite(Out, S);
  printWhole(Out, D);
  if (!D.SameLength)
    Out << "tensorleak: one run is longer than the other: only what is gained per step is "
           "compared\n";
  Out << "tensorleak: " << (D.Worse ? "worse" : D.Sites.empty() ? "the same" : "not worse") << '\n';
}

} // namespace tensorleak
