//===-- SarifReading.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"

#include "findings/files/FileUri.h"

#include <fstream>
#include <stdexcept>

using nlohmann::json;

namespace tensorleak {
namespace {

std::string readUri(const json &Artifact) { return pathOfUri(Artifact.value("uri", "")); }

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
  F.TheLevel = levelFromString(R.value("level", "")).value_or(Level::Warning);
  F.AsError = R.value("level", "") == "error";
  F.Where = readLocation(R.at("locations").at(0));
  if (auto P = R.find("properties"); P != R.end())
    readProperties(*P, F);
  if (auto P = R.find("partialFingerprints"); P != R.end())
    F.Fingerprint = P->value(SarifFingerprintKey, "");
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

} // namespace tensorleak
