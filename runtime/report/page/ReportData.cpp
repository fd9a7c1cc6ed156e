//===-- ReportData.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/page/ReportData.h"
#include "findings/VerdictText.h"
#include "runtime/record/Diff.h"
#include "runtime/replay/timeline/TimelineJson.h"
#include "runtime/replay/verdicts/Matcher.h"

#include <algorithm>
#include <tuple>

using nlohmann::json;

namespace tensorleak {
namespace {

constexpr unsigned LinesAround = 3;

/// Each place once: most stacks of a program share their outer frames.
class FrameTable {
public:
  explicit FrameTable(SourceText &Sources) : Sources(Sources) {}

  size_t indexOf(const Frame &F) {
    auto [Entry, IsNew] = Index.try_emplace(
        std::make_tuple(F.Where.File, F.Where.Line, F.Where.Column, F.Function), All.size());
    if (IsNew)
      All.push_back({{"function", F.Function},
                     {"file", F.Where.File},
                     {"line", F.Where.Line},
                     {"text", Sources.line(F.Where)}});
    return Entry->second;
  }
  json finish() { return std::move(All); }

private:
  SourceText &Sources;
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, size_t> Index;
  json All = json::array();
};

//===-- Runs --------------------------------------------------------------===//

bool holdsSomething(const RecordSite &S) { return S.TotalBytes || S.PeakBytes || grows(S); }

size_t aliveIn(const RecordSite &S) {
  return static_cast<size_t>(std::count_if(S.Objects.begin(), S.Objects.end(),
                                           [](const RecordObject &O) { return !O.Death; }));
}

json siteData(const RecordSite &S, FrameTable &Frames) {
  json Stack = json::array();
  for (const Frame &F : S.Frames)
    Stack.push_back(Frames.indexOf(F));
  return {{"frames", Stack},
          {"ops", S.Ops},
          {"onDevice", S.OnDevice},
          {"perStep", grows(S) ? S.BytesPerStep : 0},
          {"total", S.TotalBytes},
          {"alive", aliveIn(S)},
          {"peak", S.PeakBytes},
          {"peakCount", S.PeakCount},
          {"peakBefore", S.PeakBefore},
          {"peakEarlier", S.PeakEarlier},
          {"allocations", S.Allocations},
          {"holder", S.Holder ? json(S.Holder->Text) : json()}};
}

json runData(const RunRecord &R, FrameTable &Frames) {
  json Sites = json::array();
  for (const RecordSite &S : R.Sites)
    if (holdsSomething(S))
      Sites.push_back(siteData(S, Frames));
  return {{"name", R.name()},
          {"host", R.Part.Host},
          {"command", R.Command},
          {"steps", R.Steps},
          {"clock", R.Clock},
          {"peak", R.PeakBytes},
          {"perStep", R.bytesPerStep()},
          {"nodesPerStep", R.NodesPerStep},
          {"heapPerStep", R.HeapBytesPerStep},
          {"remarks", R.Remarks},
          {"advice", R.Advice},
          {"devices", toJson(R.Memory)},
          {"sites", Sites}};
}

//===-- Findings ----------------------------------------------------------===//

/// From what has to be fixed to what need not be looked at.
int rankOf(const Finding &F) {
  if (F.Suppressed)
    return 5;
  if (!F.TheVerdict)
    return 2;
  switch (*F.TheVerdict) {
  case Verdict::Confirmed:
    return 0;
  case Verdict::Inconclusive:
    return 1;
  case Verdict::NotReached:
    return 3;
  case Verdict::Refuted:
    break;
  }
  return 4;
}

std::vector<const Finding *> sorted(const std::vector<Finding> &All) {
  std::vector<const Finding *> Out;
  for (const Finding &F : All)
    Out.push_back(&F);
  std::stable_sort(Out.begin(), Out.end(), [](const Finding *A, const Finding *B) {
    return std::make_tuple(rankOf(*A), -bytesOf(*A)) < std::make_tuple(rankOf(*B), -bytesOf(*B));
  });
  return Out;
}

/// The way from its holder down, in the first run that found one at its places.
json wayTo(const Finding &F, const Job &J) {
  for (const RunRecord &R : J.Parts)
    for (const RecordSite &S : R.Sites)
      if (S.Holder && S.Holder->Text == F.TheEvidence.Holder && match(F, S.Frames) == Match::Line)
        return S.Holder->Way;
  return json::array();
}

json locationData(const Location &L) { return {{"file", L.File}, {"line", L.Line}}; }

class FindingData {
public:
  FindingData(const FindingSet &Set, const Job &J, SourceText &Sources)
      : Set(Set), J(J), Sources(Sources), Changed(changedSources(Set)) {}

  json operator()(const Finding &F) {
    json Out = {{"rule", F.Rule},
                {"level", toString(F.TheLevel)},
                {"kind", toString(F.TheKind)},
                {"verdict", F.TheVerdict ? json(toString(*F.TheVerdict)) : json()},
                {"words", F.TheVerdict ? std::string(wordsFor(*F.TheVerdict)) : "not judged"},
                {"message", F.Message},
                {"place", locationData(F.Where)},
                {"bytes", bytesOf(F)},
                {"formula", F.BytesFormula},
                {"evidence", toJson(F.TheEvidence)},
                {"text", describeEvidence(F)},
                {"notes", notes(F)},
                {"excerpt", excerpt(F)},
                {"fix", fix(F)},
                {"way", wayTo(F, J)},
                {"parts", parts(F)},
                {"suppressed", F.Suppressed ? json(F.Suppressed->Why) : json()}};
    addRule(F, Out);
    return Out;
  }

private:
  void addRule(const Finding &F, json &Out) const {
    for (const RuleInfo &R : Set.Rules)
      if (R.Id == F.Rule) {
        Out["summary"] = R.Summary;
        Out["description"] = R.Description;
        Out["help"] = R.Help;
        return;
      }
  }

  json notes(const Finding &F) {
    json Out = json::array();
    for (const PathNote &N : F.Notes)
      Out.push_back({{"place", locationData(N.Where)},
                     {"message", N.Message},
                     {"text", Sources.line(N.Where)}});
    return Out;
  }

  bool isChanged(const std::string &File) const {
    return std::find(Changed.begin(), Changed.end(), File) != Changed.end();
  }

  json excerpt(const Finding &F) {
    Excerpt E = Sources.excerpt(F.Where, LinesAround);
    if (!E.First)
      return json();
    return {{"first", E.First}, {"lines", E.Lines}, {"changed", isChanged(F.Where.File)}};
  }

  /// In a source that changed since, a fix would be put anywhere.
  json fix(const Finding &F) {
    std::optional<AppliedFix> Fix;
    if (!isChanged(F.Where.File))
      Fix = Sources.apply(F.Fixes);
    if (!Fix)
      return json();
    return {{"first", Fix->First}, {"before", Fix->Before}, {"after", Fix->After}};
  }

  static json parts(const Finding &F) {
    json Out = json::array();
    for (const PartVerdict &P : F.Parts)
      Out.push_back({{"part", P.Part},
                     {"words", wordsFor(P.TheVerdict)},
                     {"perStep", P.BytesPerStep ? json(*P.BytesPerStep) : json()}});
    return Out;
  }

  const FindingSet &Set;
  const Job &J;
  SourceText &Sources;
  std::vector<std::string> Changed;
};

} // namespace

int64_t bytesOf(const Finding &F) {
  const Evidence &E = F.TheEvidence;
  for (const std::optional<int64_t> &Bytes : {E.TotalBytes, E.PeakBytes, E.BytesPerStep, F.Bytes})
    if (Bytes)
      return *Bytes;
  return 0;
}

json comparisonData(const std::string &Name, const Job &Before, const Job &After) {
  constexpr double Tolerance = 0.05; // as `tensorleak diff` has it
  json Runs = json::array();
  for (const RunRecord &R : Before.Parts)
    Runs.push_back({{"name", R.name()}, {"devices", toJson(R.Memory)}});
  RunDiff Diff = compare(Before, After, Tolerance);
  return {{"name", Name},
          {"worse", Diff.Worse},
          {"sameLength", Diff.SameLength},
          {"diff", toJson(Diff)},
          {"runs", Runs}};
}

json reportData(const Job &J, const FindingSet &Findings, SourceText &Sources) {
  FrameTable Frames(Sources);
  json Runs = json::array(), Listed = json::array();
  for (const RunRecord &R : J.Parts)
    Runs.push_back(runData(R, Frames));
  FindingData DataOf(Findings, J, Sources);
  for (const Finding *F : sorted(Findings.Findings))
    Listed.push_back(DataOf(*F));
  return {{"tool", TENSORLEAK_VERSION},
          {"counts", countsOf(Findings.Findings)},
          {"remarks", J.Remarks},
          {"frames", Frames.finish()},
          {"runs", Runs},
          {"findings", Listed}};
}

} // namespace tensorleak
