//===-- Judge.cpp - All findings of a run ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <algorithm>

namespace tensorleak {
namespace {

Judgement judgeKind(const Case &C) {
  switch (C.TheFinding.TheKind) {
  case Kind::Retention:
    return judgeRetention(C);
  case Kind::Ownership:
    return judgeOwnership(C);
  case Kind::Peak:
    return judgePeak(C);
  case Kind::Correctness:
    return judgeCorrectness(C);
  }
  return inconclusive("this build cannot judge findings of this kind");
}

/// Sites by clock: most findings share the program's.
class GrowthCache {
public:
  explicit GrowthCache(const RunFacts &Run) : Run(Run) {}
  const std::vector<SiteGrowth> &by(const StepClock &Clock) {
    auto [Entry, IsNew] = Known.try_emplace({Clock.Inferred, Clock.Ticks});
    if (IsNew)
      Entry->second = growthOfSites(Run, Clock);
    return Entry->second;
  }

private:
  const RunFacts &Run;
  std::map<std::pair<bool, std::vector<uint64_t>>, std::vector<SiteGrowth>> Known;
};

bool claims(const Finding &F, const SiteGrowth &G) {
  return F.TheVerdict == Verdict::Confirmed && F.TheKind == Kind::Retention &&
         G.TheGrowth == Growth::Growing && match(F, G.Site->Frames) != Match::None;
}

/// Bytes that two confirmed findings explain are reported as shared by both.
void reportShared(std::vector<Finding> &Findings, const std::vector<SiteGrowth> &Sites) {
  std::map<size_t, std::set<size_t>> Shared;
  for (const SiteGrowth &G : Sites)
    for (size_t A = 0; A < Findings.size(); ++A)
      for (size_t B = 0; B < Findings.size(); ++B)
        if (A != B && claims(Findings[A], G) && claims(Findings[B], G))
          Shared[A].insert(B);
  for (const auto &[Index, Others] : Shared) {
    std::string &Reason = Findings[Index].TheEvidence.Reason;
    Reason += "; shared with ";
    for (size_t Other : Others)
      Reason += (Other == *Others.begin() ? "" : ", ") + shortPlace(Findings[Other].Where);
  }
}

/// Whether something grows that the finding's own line made, not only what is
/// computed elsewhere and could be kept by another.
bool ownLineGrows(const Finding &F, const FindingFacts &Facts, const RunFacts &Run,
                  const std::vector<SiteGrowth> &Sites) {
  Finding Alone = F;
  Alone.TheSubject.Producers.clear();
  NodeGrowth Nodes = nodeGrowth(Run, Facts.Clock, Alone, Match::Line);
  return (Nodes.Trusted && Nodes.grows()) ||
         std::any_of(Sites.begin(), Sites.end(), [&Alone](const SiteGrowth &G) {
           return G.TheGrowth == Growth::Growing && match(Alone, G.Site->Frames) == Match::Line;
         });
}

bool shareProducer(const Finding &A, const Finding &B) {
  const std::vector<Location> &Others = B.TheSubject.Producers;
  return std::any_of(A.TheSubject.Producers.begin(), A.TheSubject.Producers.end(),
                     [&Others](const Location &P) {
                       return std::find(Others.begin(), Others.end(), P) != Others.end();
                     });
}

/// Two findings keep the same tensor, and only one of them is seen at work: the
/// other may be innocent.
void settleContention(std::vector<Finding> &Findings, const std::vector<bool> &OwnLineGrows) {
  auto IsConfirmedRetention = [](const Finding &F) {
    return F.TheKind == Kind::Retention && F.TheVerdict == Verdict::Confirmed;
  };
  for (size_t Weak = 0; Weak < Findings.size(); ++Weak)
    for (size_t Strong = 0; Strong < Findings.size(); ++Strong) {
      bool Contended = IsConfirmedRetention(Findings[Weak]) && !OwnLineGrows[Weak] &&
                       IsConfirmedRetention(Findings[Strong]) && OwnLineGrows[Strong] &&
                       shareProducer(Findings[Weak], Findings[Strong]);
      if (!Contended)
        continue;
      Judgement J =
          inconclusive("what grows is explained by " + shortPlace(Findings[Strong].Where) +
                       ", which keeps the same tensor; fix that and run again");
      J.TheEvidence.Steps = Findings[Weak].TheEvidence.Steps;
      Findings[Weak].TheVerdict = J.TheVerdict;
      Findings[Weak].TheEvidence = J.TheEvidence;
    }
}

bool speaksOfGraphForNothing(const Finding &F) {
  return F.Rule == rules::MissingNoGrad && F.TheVerdict == Verdict::Confirmed;
}

/// Another finding has the bytes of \p G.
bool isReported(const SiteGrowth &G, const Finding &F, const std::vector<Finding> &Findings,
                const RunFacts &Run) {
  return std::any_of(Findings.begin(), Findings.end(), [&](const Finding &Other) {
    return &Other != &F && Other.TheVerdict == Verdict::Confirmed &&
           explainsGrowth(Other, *G.Site, Run);
  });
}

/// A graph for nothing is worse where its results stay: all of it stays with them.
void addWhatStays(Finding &F, const std::vector<Finding> &Findings,
                  const std::vector<SiteGrowth> &Sites, const RunFacts &Run) {
  int64_t PerStep = 0, Total = 0;
  for (const SiteGrowth &G : Sites)
    if (G.TheGrowth == Growth::Growing && match(F, G.Site->Frames) != Match::None &&
        !isReported(G, F, Findings, Run)) {
      PerStep += G.BytesPerStep;
      Total += G.TotalBytes;
    }
  if (!PerStep)
    return;
  F.TheEvidence.BytesPerStep = PerStep;
  F.TheEvidence.TotalBytes = Total;
  F.TheEvidence.Reason += "; what is computed here stays alive with its graph";
  if (const Holder *Held = holderOf(F, Run))
    F.TheEvidence.Holder = describe(*Held);
}

} // namespace

void judgeAll(std::vector<Finding> &Findings, const std::vector<FindingFacts> &Facts,
              const RunFacts &Run) {
  GrowthCache Growths(Run);
  std::vector<bool> OwnLineGrows;
  for (size_t I = 0; I < Findings.size(); ++I) {
    Case C{Findings[I], Facts[I], Run, Growths.by(Facts[I].Clock)};
    std::optional<Judgement> Early = judgeReach(C);
    Judgement J = Early ? *Early : judgeKind(C);
    Findings[I].TheVerdict = J.TheVerdict;
    Findings[I].TheEvidence = J.TheEvidence;
    OwnLineGrows.push_back(ownLineGrows(Findings[I], Facts[I], Run, C.Sites));
  }
  settleContention(Findings, OwnLineGrows);
  for (size_t I = 0; I < Findings.size(); ++I)
    if (speaksOfGraphForNothing(Findings[I]))
      addWhatStays(Findings[I], Findings, Growths.by(Facts[I].Clock), Run);
  reportShared(Findings, Growths.by(Run.Clock));
}

} // namespace tensorleak
