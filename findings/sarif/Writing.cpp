//===-- Writing.cpp - Findings to SARIF ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"
#include "findings/VerdictText.h"
#include "findings/sarif/Places.h"
#include "findings/sarif/Rules.h"

#include <algorithm>

using nlohmann::json;

namespace tensorleak {
namespace {

constexpr const char *Schema = "https://json.schemastore.org/sarif-2.1.0.json";

// What GitHub takes of a log; it refuses all of one that has more.
constexpr size_t MostResults = 25000, MostLocations = 1000;

class Writer {
public:
  Writer(const FindingSet &Set, const SarifContext &Context)
      : Set(Set), Context(Context), Places(Context.SourceRoot) {
    for (const RuleInfo &R : Set.Rules)
      RuleIndex.try_emplace(R.Id, RuleIndex.size());
  }

  json log();

private:
  json note(const PathNote &N);
  json flow(const Finding &F);
  json fix(const FixIt &F);
  json place(const Location &L) const;
  json subject(const Subject &S) const;
  json properties(const Finding &F) const;
  json suppressions(const Finding &F) const;
  json location(const Finding &F);
  json fingerprints(const Finding &F);
  void addPath(const Finding &F, json &Result);
  json result(const Finding &F);
  json driver() const;
  json invocation() const;
  json artifacts() const;

  const FindingSet &Set;
  const SarifContext &Context;
  PlaceWriter Places;
  std::map<std::string, size_t> RuleIndex;
};

json Writer::note(const PathNote &N) {
  json Out = Places.location(N.Where);
  Out["message"] = {{"text", N.Message}};
  return Out;
}

/// The notes lead to the finding; code scanning shows them as steps.
json Writer::flow(const Finding &F) {
  json Steps = json::array();
  for (const PathNote &N : F.Notes)
    if (N.Where.isValid() && Steps.size() + 1 < MostLocations)
      Steps.push_back({{"location", note(N)}});
  Steps.push_back({{"location", note({F.Where, F.Message})}});
  return {{"threadFlows", json::array({{{"locations", Steps}}})}};
}

json Writer::fix(const FixIt &F) {
  json Replacement = {{"deletedRegion", Places.region(F.Begin, F.End)},
                      {"insertedContent", {{"text", F.Text}}}};
  json Change = {{"artifactLocation", Places.artifact(F.Begin.File)},
                 {"replacements", json::array({Replacement})}};
  return {{"artifactChanges", json::array({Change})}};
}

json Writer::place(const Location &L) const {
  return {{"file", shortPath(L.File, Context.SourceRoot)}, {"line", L.Line}, {"column", L.Column}};
}

json Writer::subject(const Subject &S) const {
  json Out = json::object();
  if (!S.Holder.empty())
    Out["holder"] = S.Holder;
  if (S.HolderDecl.isValid())
    Out["holderDecl"] = place(S.HolderDecl);
  for (const Location &P : S.Producers)
    Out["producers"].push_back(place(P));
  if (S.Loop.Begin)
    Out["loop"] = {{"file", shortPath(S.Loop.File, Context.SourceRoot)},
                   {"begin", S.Loop.Begin},
                   {"end", S.Loop.End}};
  if (S.LastUse.isValid())
    Out["lastUse"] = place(S.LastUse);
  if (S.Graph)
    Out["graph"] = true;
  if (S.Host)
    Out["host"] = true;
  if (S.UnseenWay)
    Out["unseenWay"] = true;
  return Out;
}

json Writer::properties(const Finding &F) const {
  json Out = {{"kind", toString(F.TheKind)}, {"level", toString(F.TheLevel)}};
  if (F.AsError)
    Out["asError"] = true;
  if (F.Bytes)
    Out["bytes"] = *F.Bytes;
  if (!F.BytesFormula.empty())
    Out["bytesFormula"] = F.BytesFormula;
  if (F.TheVerdict) {
    Out["verdict"] = toString(*F.TheVerdict);
    Out["message"] = F.Message;
  }
  if (json E = toJson(F.TheEvidence); !E.empty())
    Out["evidence"] = E;
  if (json S = subject(F.TheSubject); !S.empty())
    Out["subject"] = S;
  return Out;
}

/// What a run refuted is set aside by the run.
json Writer::suppressions(const Finding &F) const {
  json Out = json::array();
  if (F.Suppressed)
    Out.push_back({{"kind", F.Suppressed->InSource ? "inSource" : "external"},
                   {"justification", F.Suppressed->Why}});
  if (F.TheVerdict == Verdict::Refuted)
    Out.push_back({{"kind", "external"},
                   {"justification", "refuted: " + describeEvidence(F)},
                   {"properties", {{"byVerdict", true}}}});
  return Out;
}

std::string_view levelOf(const Finding &F) {
  if (F.TheVerdict == Verdict::Refuted)
    return toString(Level::Note);
  return F.AsError || F.TheVerdict == Verdict::Confirmed ? "error" : toString(F.TheLevel);
}

json Writer::location(const Finding &F) {
  json Out = Places.location(F.Where);
  if (!F.Function.empty())
    Out["logicalLocations"] = json::array({{{"fullyQualifiedName", F.Function}}});
  return Out;
}

json Writer::fingerprints(const Finding &F) {
  json Out = json::object();
  if (!F.Fingerprint.empty())
    Out[SarifFingerprintKey] = F.Fingerprint;
  if (std::string Hash = Places.lineHash(F.Where); !Hash.empty())
    Out["primaryLocationLineHash"] = Hash;
  return Out;
}

void Writer::addPath(const Finding &F, json &Result) {
  for (const PathNote &N : F.Notes)
    if (json &Related = Result["relatedLocations"]; Related.size() < MostLocations)
      Related.push_back(note(N));
  if (!F.Notes.empty() && F.Where.isValid())
    Result["codeFlows"] = json::array({flow(F)});
}

json Writer::result(const Finding &F) {
  json Out = {{"ruleId", F.Rule},
              {"level", levelOf(F)},
              {"message", {{"text", messageWithVerdict(F)}}},
              {"locations", json::array({location(F)})},
              {"properties", properties(F)}};
  if (auto Index = RuleIndex.find(F.Rule); Index != RuleIndex.end())
    Out["ruleIndex"] = Index->second;
  if (json Prints = fingerprints(F); !Prints.empty())
    Out["partialFingerprints"] = Prints;
  if (json Aside = suppressions(F); !Aside.empty())
    Out["suppressions"] = Aside;
  addPath(F, Out);
  for (const FixIt &Fix : F.Fixes)
    Out["fixes"].push_back(fix(Fix));
  return Out;
}

json Writer::driver() const {
  json Rules = json::array();
  for (const RuleInfo &R : Set.Rules)
    Rules.push_back(ruleToSarif(R, Context.DocsUrl));
  return {{"name", "tensorleak"},
          {"version", TENSORLEAK_VERSION},
          {"semanticVersion", TENSORLEAK_VERSION},
          {"rules", Rules}};
}

json Writer::invocation() const {
  json Notes = json::array();
  for (const std::string &N : Set.Notifications)
    Notes.push_back({{"level", "warning"}, {"message", {{"text", N}}}});
  if (Set.Findings.size() > MostResults)
    Notes.push_back({{"level", "warning"},
                     {"message",
                      {{"text", std::to_string(Set.Findings.size() - MostResults) +
                                    " findings, the least severe, are left out: code scanning "
                                    "takes no log with more than " +
                                    std::to_string(MostResults)}}}});
  return {{"executionSuccessful", Set.Notifications.empty()},
          {"toolExecutionNotifications", Notes}};
}

json Writer::artifacts() const {
  json Out = json::array();
  for (const auto &[Path, Hash] : Set.SourceHashes)
    Out.push_back({{"location", Places.artifact(Path)}, {"hashes", {{"sha-256", Hash}}}});
  return Out;
}

/// In the order of the set; where they are too many, the most severe.
std::vector<const Finding *> findingsToWrite(const FindingSet &Set) {
  std::vector<const Finding *> Out;
  for (const Finding &F : Set.Findings)
    Out.push_back(&F);
  if (Out.size() <= MostResults)
    return Out;
  auto Weight = [](const Finding *F) {
    return std::make_pair(levelOf(*F) == "error", levelOf(*F) == toString(Level::Warning));
  };
  std::stable_sort(Out.begin(), Out.end(), [&](auto *A, auto *B) { return Weight(A) > Weight(B); });
  Out.resize(MostResults);
  std::sort(Out.begin(), Out.end()); // they lie in one array
  return Out;
}

json Writer::log() {
  json Results = json::array();
  for (const Finding *F : findingsToWrite(Set))
    Results.push_back(result(*F));
  json Run = {{"tool", {{"driver", driver()}}},
              {"automationDetails",
               {{"id", "tensorleak/" + (Context.Category.empty() ? "" : Context.Category + '/')}}},
              {"columnKind", "utf16CodeUnits"},
              {"invocations", json::array({invocation()})},
              {"artifacts", artifacts()},
              {"results", Results}};
  for (const Finding &F : Set.HeldBack)
    Run["properties"]["heldBack"].push_back(result(F));
  if (!Context.SourceRoot.empty())
    Run["originalUriBaseIds"] = Places.bases();
  return {{"$schema", Schema}, {"version", "2.1.0"}, {"runs", json::array({Run})}};
}

} // namespace

json toJson(const Evidence &E) {
  json Out = json::object();
  auto Put = [&Out](const char *Key, const auto &Value) {
    if (Value)
      Out[Key] = *Value;
  };
  Put("bytesPerStep", E.BytesPerStep);
  Put("hostBytesPerStep", E.HostBytesPerStep);
  Put("totalBytes", E.TotalBytes);
  Put("peakBytes", E.PeakBytes);
  Put("nodesPerStep", E.NodesPerStep);
  Put("steps", E.Steps);
  if (!E.Per.empty())
    Out["per"] = E.Per;
  if (!E.Holder.empty())
    Out["holder"] = E.Holder;
  if (!E.Reason.empty())
    Out["reason"] = E.Reason;
  return Out;
}

json toSarif(const FindingSet &Set, const SarifContext &Context) {
  return Writer(Set, Context).log();
}

} // namespace tensorleak
