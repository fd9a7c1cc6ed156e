//===-- Diff.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Diff.h"

#include <algorithm>
#include <cmath>
#include <map>

using nlohmann::json;

namespace tensorleak {
namespace {

/// A place in all ranks of a job.
struct Place {
  RecordSite Site;
  Figures Sum;
};
using Places = std::map<std::string, Place>;

Places placesOf(const Job &J) {
  Places Out;
  for (const RunRecord &Part : J.Parts)
    for (const RecordSite &S : Part.Sites) {
      Place &P = Out.try_emplace(siteKey(S, /*WithLines=*/true), Place{S, {}}).first->second;
      P.Sum.BytesPerStep += grows(S) ? S.BytesPerStep : 0;
      P.Sum.PeakBytes += S.PeakBytes;
      P.Sum.TotalBytes += S.TotalBytes;
    }
  return Out;
}

/// Takes from both what is at the same key.
std::vector<std::pair<Place, Place>> takeCommon(Places &Before, Places &After) {
  std::vector<std::pair<Place, Place>> Out;
  for (auto B = Before.begin(); B != Before.end();) {
    auto A = After.find(B->first);
    if (A == After.end()) {
      ++B;
      continue;
    }
    Out.emplace_back(std::move(B->second), std::move(A->second));
    After.erase(A);
    B = Before.erase(B);
  }
  return Out;
}

/// The same places by a key without lines; those that share one are left out.
Places withoutLines(const Places &All) {
  std::map<std::string, unsigned> Count;
  for (const auto &[Key, P] : All)
    ++Count[siteKey(P.Site, /*WithLines=*/false)];
  Places Out;
  for (const auto &[Key, P] : All)
    if (std::string Short = siteKey(P.Site, false); Count[Short] == 1 && !P.Site.Frames.empty())
      Out.emplace(Short, P);
  return Out;
}

/// What differs in its lines only.
std::vector<std::pair<Place, Place>> takeMoved(Places &Before, Places &After) {
  Places ShortBefore = withoutLines(Before), ShortAfter = withoutLines(After);
  std::vector<std::pair<Place, Place>> Out = takeCommon(ShortBefore, ShortAfter);
  for (const auto &[B, A] : Out) {
    Before.erase(siteKey(B.Site, true));
    After.erase(siteKey(A.Site, true));
  }
  return Out;
}

/// -1, 0 or 1: less, about the same, more.
int trend(int64_t Before, int64_t After, double Tolerance, int64_t AtLeast) {
  int64_t Difference = std::abs(After - Before);
  double Allowed = Tolerance * static_cast<double>(std::max(std::abs(Before), std::abs(After)));
  if (Difference < AtLeast || static_cast<double>(Difference) <= Allowed)
    return 0;
  return After > Before ? 1 : -1;
}

/// Growth first; among places that do not grow, what they held.
int trendOf(const Figures &B, const Figures &A, double Tolerance, bool SameLength) {
  int Growth = trend(B.BytesPerStep, A.BytesPerStep, Tolerance, 1);
  if (Growth || !SameLength)
    return Growth;
  if (int T = trend(B.TotalBytes, A.TotalBytes, Tolerance, MinBytes))
    return T;
  return trend(B.PeakBytes, A.PeakBytes, Tolerance, MinBytes);
}

class Comparison {
public:
  Comparison(double Tolerance, RunDiff &Out) : Tolerance(Tolerance), Out(Out) {}

  void addBoth(const std::pair<Place, Place> &P) {
    int T = trendOf(P.first.Sum, P.second.Sum, Tolerance, Out.SameLength);
    if (T)
      add(T > 0 ? Change::Grown : Change::Shrunk, P.second.Site, P.first.Sum, P.second.Sum);
  }
  void addNew(const Place &P) {
    if (trendOf({}, P.Sum, Tolerance, Out.SameLength))
      add(Change::New, P.Site, {}, P.Sum);
  }
  void addGone(const Place &P) {
    if (trendOf({}, P.Sum, Tolerance, Out.SameLength))
      add(Change::Gone, P.Site, P.Sum, {});
  }

private:
  void add(Change C, const RecordSite &Site, const Figures &Before, const Figures &After) {
    Out.Worse |= trend(Before.BytesPerStep, After.BytesPerStep, Tolerance, 1) > 0;
    Out.Sites.push_back({C, Site, Before, After});
  }

  double Tolerance;
  RunDiff &Out;
};

void addTotals(const Job &J, Figures &Sum, double &Nodes, uint32_t &Steps) {
  for (const RunRecord &Part : J.Parts) {
    Sum.BytesPerStep += Part.bytesPerStep();
    Sum.PeakBytes += Part.PeakBytes;
    Nodes += Part.NodesPerStep;
    Steps = std::max(Steps, Part.Steps);
  }
}

bool changesMore(const SiteChange &A, const SiteChange &B) {
  auto Key = [](const SiteChange &S) {
    return std::make_pair(S.After.BytesPerStep - S.Before.BytesPerStep,
                          std::abs(S.After.TotalBytes - S.Before.TotalBytes));
  };
  return Key(A) > Key(B);
}

json figuresJson(const Figures &F) {
  return {
      {"bytesPerStep", F.BytesPerStep}, {"peakBytes", F.PeakBytes}, {"totalBytes", F.TotalBytes}};
}

json runJson(const Figures &F, double Nodes, uint32_t Steps) {
  return {{"bytesPerStep", F.BytesPerStep},
          {"peakBytes", F.PeakBytes},
          {"nodesPerStep", Nodes},
          {"steps", Steps}};
}

json framesJson(const RecordSite &S) {
  json Out = json::array();
  for (const Frame &F : S.Frames)
    Out.push_back({{"function", F.Function},
                   {"file", F.Where.File},
                   {"line", F.Where.Line},
                   {"column", F.Where.Column}});
  return Out;
}

} // namespace

std::string_view toString(Change C) {
  switch (C) {
  case Change::Same:
    return "same";
  case Change::New:
    return "new";
  case Change::Gone:
    return "gone";
  case Change::Grown:
    return "grown";
  case Change::Shrunk:
    return "shrunk";
  }
  return "same";
}

RunDiff compare(const Job &Before, const Job &After, double Tolerance) {
  RunDiff Out;
  addTotals(Before, Out.Before, Out.NodesBefore, Out.StepsBefore);
  addTotals(After, Out.After, Out.NodesAfter, Out.StepsAfter);
  Out.SameLength = trend(Out.StepsBefore, Out.StepsAfter, Tolerance, 1) == 0;
  Places B = placesOf(Before), A = placesOf(After);
  Comparison Compare(Tolerance, Out);
  for (const auto &Pair : takeCommon(B, A))
    Compare.addBoth(Pair);
  for (const auto &Pair : takeMoved(B, A))
    Compare.addBoth(Pair);
  for (const auto &[Key, P] : A)
    Compare.addNew(P);
  for (const auto &[Key, P] : B)
    Compare.addGone(P);
  std::stable_sort(Out.Sites.begin(), Out.Sites.end(), changesMore);
  constexpr double OneNodeInTwentySteps = 0.05;
  Out.Worse |= (Out.SameLength &&
                trend(Out.Before.PeakBytes, Out.After.PeakBytes, Tolerance, MinBytes) > 0) ||
               Out.NodesAfter - Out.NodesBefore >
                   std::max(OneNodeInTwentySteps, Tolerance * Out.NodesBefore);
  return Out;
}

json toJson(const RunDiff &D) {
  json Sites = json::array();
  for (const SiteChange &S : D.Sites)
    Sites.push_back({{"change", toString(S.TheChange)},
                     {"place", describe(S.Site)},
                     {"frames", framesJson(S.Site)},
                     {"ops", S.Site.Ops},
                     {"onDevice", S.Site.OnDevice},
                     {"before", figuresJson(S.Before)},
                     {"after", figuresJson(S.After)}});
  return {{"version", 1},
          {"worse", D.Worse},
          {"sameLength", D.SameLength},
          {"before", runJson(D.Before, D.NodesBefore, D.StepsBefore)},
          {"after", runJson(D.After, D.NodesAfter, D.StepsAfter)},
          {"sites", Sites}};
}

} // namespace tensorleak
