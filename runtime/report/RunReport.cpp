//===-- RunReport.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/RunReport.h"

#include "findings/VerdictText.h"

#include <ostream>

namespace tensorleak {

void printSummary(std::ostream &Out, const std::vector<Finding> &Findings,
                  const RunSummary &Summary) {
  for (const std::string &Remark : Summary.Remarks)
    Out << "tensorleak: " << Remark << '\n';
  for (const std::string &Line : Summary.Peak)
    Out << "tensorleak: " << Line << '\n';
  for (const std::string &Line : Summary.Advice)
    Out << "tensorleak: " << Line << '\n';
  Out << "tensorleak: " << countsOf(Findings);
  if (Summary.Steps)
    Out << "; " << Summary.Steps << " steps (" << Summary.Clock << ")";
  else
    Out << "; no step was seen";
  // Of a program that is killed before anything was written down there may have been any.
  if (Summary.PeakBytes)
    Out << ", at most " << formatBytes(Summary.PeakBytes)
        << (Summary.OfTensors ? " of tensors" : " of CUDA's memory");
  Out << '\n';
}

} // namespace tensorleak
