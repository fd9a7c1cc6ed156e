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
                       ", which keeps the same tensor; mend that and run again");
      J.TheEvidence.Steps = Findings[Weak].TheEvidence.Steps;
      Findings[Weak].TheVerdict = J.TheVerdict;
      Findings[Weak].TheEvidence = J.TheEvidence;
    }
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
  reportShared(Findings, Growths.by(Run.Clock));
}

/// "4 KiB in 2 allocations", "3 streams".
static std::string unfreed(const SourceSite &S) {
  if (!S.Thing.isMemory())
    return S.Thing.counted(S.AtEnd);
  return formatBytes(S.BytesAtEnd) + " in " +
         ThingName{"allocation", "allocations"}.counted(S.AtEnd);
}

Finding observedGrowth(const SiteGrowth &G) {
  bool IsBackward = !G.Site->Forward.empty();
  const Frame &Place = (IsBackward ? G.Site->Forward : G.Site->Frames).front();
  Finding F;
  F.Rule = rules::ObservedGrowth;
  F.TheLevel = Level::Note;
  F.Where = Place.Where;
  F.Function = Place.Function;
  F.Message = std::string("what is allocated ") +
              (IsBackward ? "in the backward pass of this line" : "here") +
              (Place.Function.empty() ? "" : " (" + Place.Function + ")") +
              " stays alive and grows per step; no finding speaks of it";
  F.TheVerdict = Verdict::Confirmed;
  if (!G.Site->Thing.isMemory()) {
    F.Message = "the " + G.Site->Thing.Several + " that are made here stay alive, more in every " +
                "step; no finding speaks of them";
    F.TheEvidence.Reason = G.Site->Thing.counted(G.TotalObjects) + " in all";
  }
  if (G.Site->ByProgram && G.Site->AtEnd)
    F.TheEvidence.Reason = unfreed(*G.Site) + " never freed";
  F.TheEvidence.BytesPerStep = G.BytesPerStep;
  F.TheEvidence.TotalBytes = G.TotalBytes;
  F.TheEvidence.Steps = static_cast<uint32_t>(G.Rounds);
  return F;
}

/// Nothing leads to it, or main has returned and it was still to be freed by hand.
static bool isLost(const SiteGrowth &G, const RunFacts &Run) {
  return nobodyHolds(*G.Site, Run) || (G.Site->ByProgram && 2 * G.Site->AtEnd >= G.TotalObjects);
}

std::vector<Finding> unexplainedGrowth(const RunFacts &Run, const std::vector<Finding> &Known) {
  std::vector<Finding> Out;
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock)) {
    // A finding that was not reached, or refuted, explains nothing.
    auto Claims = [&G](const Finding &F) {
      return F.TheVerdict != Verdict::NotReached && F.TheVerdict != Verdict::Refuted &&
             (match(F, G.Site->Frames) != Match::None || match(F, G.Site->Forward) != Match::None);
    };
    bool Grows =
        G.TheGrowth == Growth::Growing && (G.BytesPerStep > 0 || !G.Site->Thing.isMemory());
    if (!Grows || (Run.OnlyLoads && !isLost(G, Run)) || G.Site->Frames.empty() ||
        std::any_of(Known.begin(), Known.end(), Claims))
      continue;
    Finding F = observedGrowth(G);
    if (const Holder *Held = holderOf(*G.Site, Run))
      F.TheEvidence.Holder = describe(*Held);
    else if (nobodyHolds(*G.Site, Run))
      F.TheEvidence.Reason += (F.TheEvidence.Reason.empty() ? "" : "; ") + std::string(NobodyHolds);
    Out.push_back(F);
  }
  return Out;
}

/// "cudaMalloc, cudaMallocHost"
static std::string callsOf(const SourceSite &S) {
  std::string Out;
  for (const std::string &Op : S.Ops)
    Out += (Out.empty() ? "" : ", ") + Op;
  return Out;
}

static Finding unfreedAt(const SourceSite &S, const RunFacts &Run) {
  Finding F;
  F.Rule = rules::ObservedUnfreed;
  F.TheLevel = Level::Note;
  F.TheKind = Kind::Ownership;
  F.Where = S.Frames.front().Where;
  F.Message = unfreed(S) + (S.Thing.isMemory() ? ", taken" : ", made") + " here by " + callsOf(S) +
              ", never freed: alive when " +
              (Run.MainReturned ? "main had returned" : "the program called exit()");
  F.TheEvidence.TotalBytes = S.BytesAtEnd;
  return F;
}

std::vector<Finding> neverFreed(const RunFacts &Run, const std::vector<Finding> &Known) {
  std::vector<Finding> Out;
  if (!Run.MainReturned && !Run.CalledExit)
    return Out;
  for (const SourceSite &S : Run.Sites) {
    auto Speaks = [&S](const Finding &F) {
      return F.TheVerdict == Verdict::Confirmed && match(F, S.Frames) == Match::Line;
    };
    bool IsLeft = S.ByProgram && S.AtEnd && !S.Frames.empty();
    if (IsLeft && std::none_of(Known.begin(), Known.end(), Speaks))
      Out.push_back(unfreedAt(S, Run));
  }
  return Out;
}

std::string modulesWithoutLines(const RunFacts &Run) {
  std::set<std::string> Modules;
  for (const SourceSite &S : Run.Sites)
    if (!S.Frames.empty() && !S.Frames.front().Where.isValid())
      Modules.insert(shortPlace(S.Frames.front().Where));
  std::string Out;
  for (const std::string &Module : Modules)
    Out += (Out.empty() ? "'" : ", '") + Module + "'";
  return Out.empty() ? ""
                     : Out + " has no debug information, and its places are functions: compile it "
                             "with -g to see lines, and all that holds memory";
}

std::string growthWithoutPlace(const RunFacts &Run) {
  if (Run.OnlyLoads)
    return "";
  int64_t Bytes = 0;
  std::set<std::string> Ops;
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock)) {
    if (G.TheGrowth != Growth::Growing || G.BytesPerStep <= 0 || !G.Site->Frames.empty())
      continue;
    Bytes += G.BytesPerStep;
    Ops.insert(G.Site->Ops.begin(), G.Site->Ops.end());
  }
  if (!Bytes)
    return "";
  std::string Out;
  for (const std::string &Op : Ops)
    Out += (Out.empty() ? " (" : ", ") + Op;
  return formatBytes(Bytes) + " per step grow at places without a frame of the program" +
         (Out.empty() ? Out : Out + ")");
}

} // namespace tensorleak
