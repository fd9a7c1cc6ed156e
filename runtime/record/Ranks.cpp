//===-- Ranks.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Ranks.h"

#include <algorithm>
#include <map>
#include <set>

namespace tensorleak {
namespace {

/// Those with one rank together; without a rank each process is by itself.
using Key = std::pair<bool, uint64_t>;

Key keyOf(const RunRecord &R) {
  return R.Part.Rank ? Key{false, *R.Part.Rank} : Key{true, R.Part.Pid};
}

void sayHelpers(Job &J, const RunRecord &Kept, size_t Others) {
  if (Others)
    J.Remarks.push_back(Kept.name() + ": " + std::to_string(Others) +
                        " more process(es) used LibTorch; counted is " +
                        std::to_string(Kept.Part.Pid) + ", with the most allocations");
}

void sayMissingRanks(Job &J) {
  std::set<uint32_t> Ranks, Sizes;
  for (const RunRecord &R : J.Parts)
    if (R.Part.Rank) {
      Ranks.insert(*R.Part.Rank);
      Sizes.insert(*R.Part.WorldSize);
    }
  if (Sizes.size() > 1)
    J.Remarks.push_back("the records are of jobs of different size; are some of them old?");
  else if (!Sizes.empty() && Ranks.size() < *Sizes.begin())
    J.Remarks.push_back("these are records of " + std::to_string(Ranks.size()) + " of " +
                        std::to_string(*Sizes.begin()) + " ranks");
}

/// From the worst to the best news.
int severity(Verdict V) {
  switch (V) {
  case Verdict::Confirmed:
    return 3;
  case Verdict::Inconclusive:
    return 2;
  case Verdict::Refuted:
    return 1;
  case Verdict::NotReached:
    return 0;
  }
  return 0;
}

/// Whether the verdict of \p A is to stand for the finding, rather than that of \p B.
bool saysMore(const Finding &A, const Finding &B) {
  int SeverityA = severity(*A.TheVerdict), SeverityB = severity(*B.TheVerdict);
  return SeverityA != SeverityB
             ? SeverityA > SeverityB
             : A.TheEvidence.BytesPerStep.value_or(0) > B.TheEvidence.BytesPerStep.value_or(0);
}

std::string findingKey(const Finding &F) {
  return F.Where.File + ':' + std::to_string(F.Where.Line) + ':' + std::to_string(F.Where.Column) +
         ':' + F.Rule + ':' + F.Message;
}

/// Puts the findings of one part after the other.
class FindingMerge {
public:
  explicit FindingMerge(FindingSet &Out) : Out(Out) {}

  void add(const RunRecord &Part) {
    for (const Finding &F : Part.Findings.Findings)
      if (F.TheVerdict)
        addFinding(F, Part.name());
    for (const RuleInfo &R : Part.Findings.Rules)
      if (Rules.insert(R.Id).second)
        Out.Rules.push_back(R);
    Out.SourceHashes.insert(Part.Findings.SourceHashes.begin(), Part.Findings.SourceHashes.end());
  }

private:
  void addFinding(const Finding &F, const std::string &Name) {
    auto [Entry, IsNew] = Index.try_emplace(findingKey(F), Out.Findings.size());
    if (IsNew)
      Out.Findings.push_back(F);
    Finding &Merged = Out.Findings[Entry->second];
    Merged.Parts.push_back({Name, *F.TheVerdict, F.TheEvidence.BytesPerStep});
    if (!saysMore(F, Merged))
      return;
    std::vector<PartVerdict> Parts = std::move(Merged.Parts);
    Merged = F;
    Merged.Parts = std::move(Parts);
  }

  FindingSet &Out;
  std::map<std::string, size_t> Index;
  std::set<std::string> Rules;
};

bool isConfirmedLeak(const Finding &F) {
  bool Leaks = F.TheKind == Kind::Retention || F.TheKind == Kind::Ownership;
  return Leaks && F.TheVerdict == Verdict::Confirmed && !F.Suppressed;
}

std::string listOf(const std::vector<std::string> &Names) {
  std::string Out;
  for (size_t I = 0; I < Names.size(); ++I)
    Out += (I == 0 ? "" : I + 1 == Names.size() ? " and " : ", ") + Names[I];
  return Out;
}

} // namespace

Job jobOf(std::vector<RunRecord> Records) {
  std::map<Key, std::vector<RunRecord>> ByKey;
  for (RunRecord &R : Records)
    ByKey[keyOf(R)].push_back(std::move(R));
  Job J;
  for (auto &[Who, Group] : ByKey) {
    auto Most =
        std::max_element(Group.begin(), Group.end(), [](const RunRecord &A, const RunRecord &B) {
          return A.Allocations < B.Allocations;
        });
    J.Parts.push_back(std::move(*Most));
    sayHelpers(J, J.Parts.back(), Group.size() - 1);
  }
  sayMissingRanks(J);
  return J;
}

std::vector<JobSite> growingSites(const Job &J) {
  std::map<std::string, JobSite> ByKey;
  for (size_t Part = 0; Part < J.Parts.size(); ++Part)
    for (const RecordSite &S : J.Parts[Part].Sites) {
      JobSite &Site = ByKey[siteKey(S, /*WithLines=*/true)];
      Site.BytesPerStep.resize(J.Parts.size());
      Site.TotalBytes.resize(J.Parts.size());
      Site.BytesPerStep[Part] += grows(S) ? S.BytesPerStep : 0;
      Site.TotalBytes[Part] += S.TotalBytes;
      if (S.BytesPerStep >= Site.Site.BytesPerStep)
        Site.Site = S;
    }
  std::vector<JobSite> Out;
  for (auto &[Where, Site] : ByKey)
    if (std::any_of(Site.BytesPerStep.begin(), Site.BytesPerStep.end(),
                    [](int64_t B) { return B; }))
      Out.push_back(std::move(Site));
  auto Most = [](const JobSite &S) {
    return *std::max_element(S.BytesPerStep.begin(), S.BytesPerStep.end());
  };
  std::stable_sort(Out.begin(), Out.end(),
                   [&](const JobSite &A, const JobSite &B) { return Most(A) > Most(B); });
  return Out;
}

FindingSet mergeFindings(const Job &J) {
  FindingSet Out;
  FindingMerge Merge(Out);
  for (const RunRecord &Part : J.Parts)
    Merge.add(Part);
  std::stable_sort(Out.Findings.begin(), Out.Findings.end(), printsBefore);
  return Out;
}

bool grows(const RunRecord &Part) {
  const std::vector<Finding> &Findings = Part.Findings.Findings;
  return Part.bytesPerStep() > 0 || std::any_of(Findings.begin(), Findings.end(), isConfirmedLeak);
}

std::string whoGrows(const Job &J) {
  std::vector<std::string> Growing;
  for (const RunRecord &Part : J.Parts)
    if (grows(Part))
      Growing.push_back(Part.name() + (Part.bytesPerStep()
                                           ? " (" + formatBytes(Part.bytesPerStep()) + " per step)"
                                           : ""));
  if (Growing.empty())
    return "nothing grows in any of them";
  size_t Others = J.Parts.size() - Growing.size();
  return listOf(Growing) + (Growing.size() > 1 ? " grow" : " grows") +
         (Others == 0   ? ""
          : Others == 1 ? "; the other does not"
                        : "; the other " + std::to_string(Others) + " do not");
}

} // namespace tensorleak
