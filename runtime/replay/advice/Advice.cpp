//===-- Advice.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/advice/Advice.h"

#include <algorithm>

namespace tensorleak {
namespace {

std::string optimizerNames(const RunFacts &Run) {
  std::set<std::string> Classes;
  for (const OptimizerFacts &O : Run.Optimizers)
    Classes.insert(O.Class);
  std::string Out;
  for (const std::string &Class : Classes)
    Out += (Out.empty() ? "" : " and ") + Class;
  return Out;
}

Advice withoutGradients(const RunFacts &Run) {
  if (!Run.PeakWithoutGrad || !Run.Backwards.Steps.empty())
    return {};
  return {"gradients off (torch::NoGradGuard)", Run.Peak.Bytes - *Run.PeakWithoutGrad, false,
          "nothing is differentiated, as in this run"};
}

Advice leanerOptimizer(const RunFacts &Run, const PeakShares &Shares) {
  return {"SGD without momentum instead of " + optimizerNames(Run), Shares.OptimizerState, true,
          "training converges with it"};
}

/// Gradients that are set to zero stay alive while the next step makes its activations.
Advice gradientsToNone(const RunFacts &Run, const PeakShares &Shares) {
  bool Zeroed = std::any_of(Run.Optimizers.begin(), Run.Optimizers.end(), [](auto &O) {
    return std::any_of(O.Steps.begin(), O.Steps.end(), [](auto &S) { return S.ZeroOps != 0; });
  });
  if (!Zeroed)
    return {};
  return {"zero_grad(set_to_none = true)", Shares.Gradients, true,
          "the peak comes before the backward pass makes new ones"};
}

Advice halfPrecision(const PeakShares &Shares) {
  if (!Shares.StepsSeen)
    return {"half precision throughout (half())", Shares.Total / 2, true,
            "it is 32-bit floats, and the result stays good enough"};
  return {"half precision for what a step makes (autocast)", Shares.ofTheStep() / 2, true,
          "it is 32-bit floats, and the result stays good enough"};
}

/// One operator runs at a time, so at most one pair of input and output can be saved.
Advice inPlace(const RunFacts &Run) {
  Advice Out;
  bool Graphs = std::any_of(Run.NodeSites.begin(), Run.NodeSites.end(),
                            [](const NodeSite &S) { return S.Made != 0; });
  if (Graphs) // it may need the old value
    return Out;
  for (const SourceSite &S : Run.Sites) {
    bool Always = S.InPlaceCandidates && S.InPlaceCandidates == S.Allocations;
    int64_t Each = Always ? static_cast<int64_t>(S.InPlaceBytes / S.InPlaceCandidates) : 0;
    if (Each <= Out.Bytes || !S.BytesAtPeak || S.Frames.empty())
      continue;
    Out = {"an in-place operator at " + shortPlace(S.Frames.front()), Each, true,
           "the old value is not needed, as in this run, where it was freed right after"};
  }
  return Out;
}

/// What the findings already proved: earlier release, and tensors held twice.
std::vector<Advice> fromFindings(const std::vector<Finding> &Judged) {
  std::vector<Advice> Out;
  for (const Finding &F : Judged)
    if (F.TheKind == Kind::Peak && F.TheVerdict == Verdict::Confirmed && F.TheEvidence.PeakBytes)
      Out.push_back({"the finding at " + shortPlace(F.Where) + " fixed", *F.TheEvidence.PeakBytes,
                     true, "it is fixed as its message says"});
  return Out;
}

} // namespace

bool buildsUnusedGraphs(const Recording &R) {
  bool Differentiates =
      std::any_of(R.Boundaries.begin(), R.Boundaries.end(), [](const trace::Boundary &B) {
        return B.TheKind == trace::BoundaryKind::Backward || B.BackwardsSince;
      });
  return R.Read.Now.NodesMade && !Differentiates;
}

std::vector<Advice> adviseOn(const RunFacts &Run, const PeakShares &Shares,
                             const std::vector<Finding> &Judged) {
  std::vector<Advice> Out = fromFindings(Judged);
  for (Advice A : {withoutGradients(Run), leanerOptimizer(Run, Shares),
                   gradientsToNone(Run, Shares), halfPrecision(Shares), inPlace(Run)})
    Out.push_back(std::move(A));
  auto IsSmall = [&](const Advice &A) { return A.Bytes <= 0 || A.Bytes * 100 < Shares.Total; };
  Out.erase(std::remove_if(Out.begin(), Out.end(), IsSmall), Out.end());
  std::stable_sort(Out.begin(), Out.end(),
                   [](const Advice &A, const Advice &B) { return A.Bytes > B.Bytes; });
  return Out;
}

std::string describeAdvice(const Advice &A) {
  return (A.IsBound ? "at most " : "") + formatBytes(A.Bytes) + " less: " + A.What + ", if " +
         A.Assumes;
}

std::string describeShares(const PeakShares &Shares) {
  if (!Shares.StepsSeen)
    return formatBytes(Shares.Total) + "; no step was seen that could tell what stayed";
  std::string Parts;
  auto Add = [&Parts](int64_t Bytes, const char *What) {
    if (Bytes > 0)
      Parts += (Parts.empty() ? ": " : ", ") + formatBytes(Bytes) + What;
  };
  Add(Shares.Standing, " from before the first step (parameters, data)");
  Add(Shares.Gradients, " of gradients of earlier steps");
  Add(Shares.OptimizerState, " of optimizer state");
  Add(Shares.Kept, " kept over steps");
  Add(Shares.ofTheStep(), " of the step (activations, temporaries)");
  return formatBytes(Shares.Total) + Parts;
}

} // namespace tensorleak
