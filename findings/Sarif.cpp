//===-- Sarif.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"

#include <fstream>
#include <stdexcept>

using nlohmann::json;

namespace tensorleak {
namespace {

constexpr const char *Schema =
    "https://json.schemastore.org/sarif-2.1.0.json";
constexpr const char *FingerprintKey = "tensorleak/v1";

//===-- Writing -----------------------------------------------------------===//

json writeLocation(const Location &L) {
  json Region = {{"startLine", L.Line}};
  if (L.Column)
    Region["startColumn"] = L.Column;
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", "file://" + L.File}}}, {"region", Region}}}};
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
  json Change = {{"artifactLocation", {{"uri", "file://" + F.Begin.File}}},
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

json writeEvidence(const Evidence &E) {
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

json writePart(const PartVerdict &P) {
  json Out = {{"name", P.Part}, {"verdict", toString(P.TheVerdict)}};
  if (P.BytesPerStep)
    Out["bytesPerStep"] = *P.BytesPerStep;
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
  if (json E = writeEvidence(F.TheEvidence); !E.empty())
    Out["evidence"] = E;
  if (json S = writeSubject(F.TheSubject); !S.empty())
    Out["subject"] = S;
  for (const PartVerdict &P : F.Parts)
    Out["parts"].push_back(writePart(P));
  return Out;
}

json writeResult(const Finding &F) {
  json Out = {{"ruleId", F.Rule},
              {"level", F.AsError ? "error" : toString(F.TheLevel)},
              {"message", {{"text", F.Message}}},
              {"locations", json::array({writeLocation(F.Where)})},
              {"properties", writeProperties(F)}};
  if (!F.Fingerprint.empty())
    Out["partialFingerprints"] = {{FingerprintKey, F.Fingerprint}};
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
  return {{"executionSuccessful", Notifications.empty()},
          {"toolExecutionNotifications", Notes}};
}

//===-- Reading -----------------------------------------------------------===//

std::string readUri(const json &Artifact) {
  std::string Uri = Artifact.value("uri", "");
  constexpr std::string_view Scheme = "file://";
  return Uri.compare(0, Scheme.size(), Scheme) == 0 ? Uri.substr(Scheme.size()) : Uri;
}

Location readLocation(const json &L) {
  const json &Physical = L.at("physicalLocation");
  Location Out;
  Out.File = readUri(Physical.at("artifactLocation"));
  if (auto Region = Physical.find("region"); Region != Physical.end()) {
    Out.Line = Region->value("startLine", 0u);
    Out.Column = Region->value("startColumn", 0u);
  }
  return Out;
}

FixIt readReplacement(const json &Replacement, const std::string &File) {
  const json &Region = Replacement.at("deletedRegion");
  unsigned Line = Region.at("startLine"), Column = Region.value("startColumn", 1u);
  FixIt Out;
  Out.Begin = {File, Line, Column};
  Out.End = {File, Region.value("endLine", Line), Region.value("endColumn", Column)};
  if (Replacement.contains("insertedContent"))
    Out.Text = Replacement["insertedContent"].value("text", "");
  return Out;
}

void readFix(const json &Fix, std::vector<FixIt> &Out) {
  for (const json &Change : Fix.value("artifactChanges", json::array()))
    for (const json &Replacement : Change.at("replacements"))
      Out.push_back(readReplacement(Replacement, readUri(Change.at("artifactLocation"))));
}

Location readPlace(const json &L) {
  return {L.value("file", ""), L.value("line", 0u), L.value("column", 0u)};
}

Subject readSubject(const json &S) {
  Subject Out;
  Out.Holder = S.value("holder", "");
  Out.Graph = S.value("graph", false);
  if (S.contains("holderDecl"))
    Out.HolderDecl = readPlace(S["holderDecl"]);
  if (S.contains("lastUse"))
    Out.LastUse = readPlace(S["lastUse"]);
  for (const json &P : S.value("producers", json::array()))
    Out.Producers.push_back(readPlace(P));
  if (auto Loop = S.find("loop"); Loop != S.end())
    Out.Loop = {Loop->value("file", ""), Loop->value("begin", 0u), Loop->value("end", 0u)};
  return Out;
}

Evidence readEvidence(const json &E) {
  Evidence Out;
  auto Get = [&E](const char *Key, auto &Field) {
    if (auto It = E.find(Key); It != E.end())
      Field = It->template get<typename std::decay_t<decltype(Field)>::value_type>();
  };
  Get("bytesPerStep", Out.BytesPerStep);
  Get("hostBytesPerStep", Out.HostBytesPerStep);
  Get("totalBytes", Out.TotalBytes);
  Get("peakBytes", Out.PeakBytes);
  Get("nodesPerStep", Out.NodesPerStep);
  Get("steps", Out.Steps);
  Out.Holder = E.value("holder", "");
  Out.Reason = E.value("reason", "");
  return Out;
}

void readProperties(const json &P, Finding &F) {
  if (auto K = kindFromString(P.value("kind", "")))
    F.TheKind = *K;
  if (auto L = levelFromString(P.value("level", "")))
    F.TheLevel = *L;
  if (P.contains("bytes"))
    F.Bytes = P["bytes"].get<int64_t>();
  F.BytesFormula = P.value("bytesFormula", "");
  F.TheVerdict = verdictFromString(P.value("verdict", ""));
  if (P.contains("evidence"))
    F.TheEvidence = readEvidence(P["evidence"]);
  if (P.contains("subject"))
    F.TheSubject = readSubject(P["subject"]);
}

Finding readResult(const json &R) {
  Finding F;
  F.Rule = R.value("ruleId", "");
  F.Message = R.at("message").value("text", "");
  F.TheLevel = R.value("level", "warning") == "note" ? Level::Note : Level::Warning;
  F.AsError = R.value("level", "") == "error";
  F.Where = readLocation(R.at("locations").at(0));
  if (auto P = R.find("properties"); P != R.end())
    readProperties(*P, F);
  if (auto P = R.find("partialFingerprints"); P != R.end())
    F.Fingerprint = P->value(FingerprintKey, "");
  for (const json &S : R.value("suppressions", json::array()))
    if (S.value("status", "accepted") == "accepted")
      F.Suppressed = {S.value("kind", "") == "inSource", S.value("justification", "")};
  for (const json &N : R.value("relatedLocations", json::array()))
    F.Notes.push_back({readLocation(N), N.value("message", json::object()).value("text", "")});
  for (const json &Fix : R.value("fixes", json::array()))
    readFix(Fix, F.Fixes);
  return F;
}

RuleInfo readRule(const json &R) {
  auto Part = [&R](const char *Message, const char *Form) {
    return R.value(Message, json::object()).value(Form, "");
  };
  return {R.value("id", ""), Part("shortDescription", "text"), R.value("helpUri", ""),
          Part("fullDescription", "text"), Part("help", "markdown")};
}

void readRun(const json &Run, FindingSet &Out) {
  const json &Driver = Run.at("tool").at("driver");
  for (const json &R : Driver.value("rules", json::array()))
    Out.Rules.push_back(readRule(R));
  for (const json &A : Run.value("artifacts", json::array()))
    if (A.contains("hashes"))
      Out.SourceHashes[readUri(A.at("location"))] = A["hashes"].value("sha-256", "");
  for (const json &I : Run.value("invocations", json::array()))
    for (const json &N : I.value("toolExecutionNotifications", json::array()))
      Out.Notifications.push_back(N.at("message").value("text", ""));
  for (const json &R : Run.value("results", json::array()))
    Out.Findings.push_back(readResult(R));
}

} // namespace

json toSarif(const FindingSet &Set) {
  json Results = json::array(), Artifacts = json::array();
  for (const Finding &F : Set.Findings)
    Results.push_back(writeResult(F));
  for (const auto &[Path, Hash] : Set.SourceHashes)
    Artifacts.push_back({{"location", {{"uri", "file://" + Path}}}, {"hashes", {{"sha-256", Hash}}}});
  json Run = {{"tool", {{"driver", writeDriver(Set)}}},
              {"columnKind", "utf16CodeUnits"},
              {"invocations", json::array({writeInvocation(Set.Notifications)})},
              {"artifacts", Artifacts},
              {"results", Results}};
  return {{"$schema", Schema}, {"version", "2.1.0"}, {"runs", json::array({Run})}};
}

FindingSet fromSarif(const json &Log) {
  FindingSet Out;
  try {
    for (const json &Run : Log.at("runs"))
      readRun(Run, Out);
  } catch (const json::exception &E) {
    throw std::runtime_error(std::string("is not a SARIF 2.1.0 log: ") + E.what());
  }
  return Out;
}

FindingSet readSarifFile(const std::string &Path) {
  std::ifstream In(Path);
  if (!In)
    throw std::runtime_error("cannot read findings from '" + Path + "': no such file");
  json Log = json::parse(In, nullptr, /*allow_exceptions=*/false);
  if (Log.is_discarded())
    throw std::runtime_error("cannot read findings from '" + Path + "': it is not JSON");
  try {
    return fromSarif(Log);
  } catch (const std::runtime_error &E) {
    throw std::runtime_error("cannot read findings from '" + Path + "': it " + E.what());
  }
}

void writeSarifFile(const FindingSet &Set, const std::string &Path) {
  std::ofstream Out(Path);
  Out << toSarif(Set).dump(2) << '\n';
  if (!Out.flush())
    throw std::runtime_error("cannot write findings to '" + Path + "'");
}

} // namespace tensorleak
