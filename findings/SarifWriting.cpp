//===-- SarifWriting.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"

#include "findings/files/FileUri.h"

using nlohmann::json;

namespace tensorleak {
namespace {

constexpr const char *Schema = "https://json.schemastore.org/sarif-2.1.0.json";

json writeLocation(const Location &L) {
  json Region = {{"startLine", L.Line}};
  if (L.Column)
    Region["startColumn"] = L.Column;
  return {
      {"physicalLocation", {{"artifactLocation", {{"uri", fileUri(L.File)}}}, {"region", Region}}}};
}

json writeNote(const PathNote &N) {
  json Out = writeLocation(N.Where);
  Out["message"] = {{"text", N.Message}};
  return Out;
}

json writeFix(const FixIt &F) {
  json Region = {{"startLine", F.Begin.Line},
                 {"startColumn", F.Begin.Column},
                 {"endLine", F.End.Line},
                 {"endColumn", F.End.Column}};
  json Replacement = {{"deletedRegion", Region}, {"insertedContent", {{"text", F.Text}}}};
  json Change = {{"artifactLocation", {{"uri", fileUri(F.Begin.File)}}},
                 {"replacements", json::array({Replacement})}};
  return {{"artifactChanges", json::array({Change})}};
}

json writePlace(const Location &L) {
  return {{"file", L.File}, {"line", L.Line}, {"column", L.Column}};
}

json writeSubject(const Subject &S) {
  json Out = json::object();
  if (!S.Holder.empty())
    Out["holder"] = S.Holder;
  if (S.HolderDecl.isValid())
    Out["holderDecl"] = writePlace(S.HolderDecl);
  for (const Location &P : S.Producers)
    Out["producers"].push_back(writePlace(P));
  if (S.Loop.Begin)
    Out["loop"] = {{"file", S.Loop.File}, {"begin", S.Loop.Begin}, {"end", S.Loop.End}};
  if (S.LastUse.isValid())
    Out["lastUse"] = writePlace(S.LastUse);
  if (S.Graph)
    Out["graph"] = true;
  return Out;
}

json writeProperties(const Finding &F) {
  json Out = {{"kind", toString(F.TheKind)}, {"level", toString(F.TheLevel)}};
  if (F.Bytes)
    Out["bytes"] = *F.Bytes;
  if (!F.BytesFormula.empty())
    Out["bytesFormula"] = F.BytesFormula;
  if (F.TheVerdict)
    Out["verdict"] = toString(*F.TheVerdict);
  if (json E = toJson(F.TheEvidence); !E.empty())
    Out["evidence"] = E;
  if (json S = writeSubject(F.TheSubject); !S.empty())
    Out["subject"] = S;
  return Out;
}

json writeResult(const Finding &F) {
  json Out = {{"ruleId", F.Rule},
              {"level", F.AsError ? "error" : toString(F.TheLevel)},
              {"message", {{"text", F.Message}}},
              {"locations", json::array({writeLocation(F.Where)})},
              {"properties", writeProperties(F)}};
  if (!F.Fingerprint.empty())
    Out["partialFingerprints"] = {{SarifFingerprintKey, F.Fingerprint}};
  if (F.Suppressed)
    Out["suppressions"].push_back({{"kind", F.Suppressed->InSource ? "inSource" : "external"},
                                   {"justification", F.Suppressed->Why}});
  for (const PathNote &N : F.Notes)
    Out["relatedLocations"].push_back(writeNote(N));
  for (const FixIt &Fix : F.Fixes)
    Out["fixes"].push_back(writeFix(Fix));
  return Out;
}

/// The page stands in the log itself: where the program is installed, and whether there
/// is a site with its pages, is nothing that a reader of the log can rely on.
json writeRule(const RuleInfo &R) {
  json Out = {{"id", R.Id}, {"shortDescription", {{"text", R.Summary}}}};
  if (!R.HelpUri.empty())
    Out["helpUri"] = R.HelpUri;
  if (!R.Description.empty())
    Out["fullDescription"] = {{"text", R.Description}};
  if (!R.Help.empty())
    Out["help"] = {{"text", "'tensorleak explain " + R.Id + "' prints this page.\n\n" + R.Help},
                   {"markdown", R.Help}};
  return Out;
}

json writeDriver(const FindingSet &Set) {
  json Rules = json::array();
  for (const RuleInfo &R : Set.Rules)
    Rules.push_back(writeRule(R));
  return {{"name", "tensorleak"}, {"version", TENSORLEAK_VERSION}, {"rules", Rules}};
}

json writeInvocation(const std::vector<std::string> &Notifications) {
  json Notes = json::array();
  for (const std::string &N : Notifications)
    Notes.push_back({{"level", "warning"}, {"message", {{"text", N}}}});
  return {{"executionSuccessful", Notifications.empty()}, {"toolExecutionNotifications", Notes}};
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
  if (!E.Holder.empty())
    Out["holder"] = E.Holder;
  if (!E.Reason.empty())
    Out["reason"] = E.Reason;
  return Out;
}

json toSarif(const FindingSet &Set) {
  json Results = json::array(), Artifacts = json::array();
  for (const Finding &F : Set.Findings)
    Results.push_back(writeResult(F));
  for (const auto &[Path, Hash] : Set.SourceHashes)
    Artifacts.push_back({{"location", {{"uri", fileUri(Path)}}}, {"hashes", {{"sha-256", Hash}}}});
  json Run = {{"tool", {{"driver", writeDriver(Set)}}},
              {"columnKind", "utf16CodeUnits"},
              {"invocations", json::array({writeInvocation(Set.Notifications)})},
              {"artifacts", Artifacts},
              {"results", Results}};
  return {{"$schema", Schema}, {"version", "2.1.0"}, {"runs", json::array({Run})}};
}

} // namespace tensorleak
