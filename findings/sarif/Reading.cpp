//===-- Reading.cpp - Findings from SARIF ----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/Sarif.h"
#include "findings/files/ReadFile.h"

#include "findings/sarif/Places.h"
#include "findings/sarif/Rules.h"

#include <stdexcept>

using nlohmann::json;

namespace tensorleak {
namespace {

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
  Out.Per = E.value("per", "");
  Out.Holder = E.value("holder", "");
  Out.Reason = E.value("reason", "");
  return Out;
}

class Reader {
public:
  Reader(const json &Run, const std::string &SourceRoot)
      : Run(Run), Places(Run.value("originalUriBaseIds", json::object()), SourceRoot) {}

  void read(FindingSet &Out);

private:
  FixIt replacement(const json &Replacement, const std::string &File);
  void fix(const json &Fix, std::vector<FixIt> &Out);
  Location place(const json &L) const;
  Subject subject(const json &S) const;
  void properties(const json &P, Finding &F) const;
  Finding result(const json &R);

  const json &Run;
  PlaceReader Places;
};

FixIt Reader::replacement(const json &Replacement, const std::string &File) {
  const json &Region = Replacement.at("deletedRegion");
  unsigned Line = Region.at("startLine"), Column = Region.value("startColumn", 1u);
  FixIt Out;
  Out.Begin = Places.place(File, Line, Column);
  Out.End = Places.place(File, Region.value("endLine", Line), Region.value("endColumn", Column));
  if (Replacement.contains("insertedContent"))
    Out.Text = Replacement["insertedContent"].value("text", "");
  return Out;
}

void Reader::fix(const json &Fix, std::vector<FixIt> &Out) {
  for (const json &Change : Fix.value("artifactChanges", json::array()))
    for (const json &Replacement : Change.at("replacements"))
      Out.push_back(replacement(Replacement, Places.file(Change.at("artifactLocation"))));
}

/// Columns in our own properties count bytes.
Location Reader::place(const json &L) const {
  return {Places.file(L.value("file", "")), L.value("line", 0u), L.value("column", 0u)};
}

Subject Reader::subject(const json &S) const {
  Subject Out;
  Out.Holder = S.value("holder", "");
  Out.Graph = S.value("graph", false);
  Out.Host = S.value("host", false);
  Out.UnseenWay = S.value("unseenWay", false);
  if (S.contains("holderDecl"))
    Out.HolderDecl = place(S["holderDecl"]);
  if (S.contains("lastUse"))
    Out.LastUse = place(S["lastUse"]);
  for (const json &P : S.value("producers", json::array()))
    Out.Producers.push_back(place(P));
  if (auto Loop = S.find("loop"); Loop != S.end())
    Out.Loop = {Places.file(Loop->value("file", "")), Loop->value("begin", 0u),
                Loop->value("end", 0u)};
  return Out;
}

void Reader::properties(const json &P, Finding &F) const {
  if (auto K = kindFromString(P.value("kind", "")))
    F.TheKind = *K;
  if (auto L = levelFromString(P.value("level", "")))
    F.TheLevel = *L;
  if (P.contains("bytes"))
    F.Bytes = P["bytes"].get<int64_t>();
  F.BytesFormula = P.value("bytesFormula", "");
  F.TheVerdict = verdictFromString(P.value("verdict", ""));
  if (F.TheVerdict) { // the result's own tell what the run said
    F.Message = P.value("message", F.Message);
    F.AsError = false;
  }
  F.AsError = P.value("asError", F.AsError);
  if (P.contains("evidence"))
    F.TheEvidence = readEvidence(P["evidence"]);
  if (P.contains("subject"))
    F.TheSubject = subject(P["subject"]);
}

std::string functionOf(const json &L) {
  for (const json &Logical : L.value("logicalLocations", json::array()))
    return Logical.value("fullyQualifiedName", "");
  return "";
}

/// What only the verdict set aside is told by the verdict.
std::optional<Suppression> suppressionOf(const json &R) {
  std::optional<Suppression> Out;
  for (const json &S : R.value("suppressions", json::array()))
    if (S.value("status", "accepted") == "accepted" &&
        !S.value("properties", json::object()).value("byVerdict", false))
      Out = {S.value("kind", "") == "inSource", S.value("justification", "")};
  return Out;
}

Finding Reader::result(const json &R) {
  Finding F;
  F.Rule = R.value("ruleId", "");
  F.Message = R.at("message").value("text", "");
  F.TheLevel = levelFromString(R.value("level", "")).value_or(Level::Warning);
  F.AsError = R.value("level", "") == "error";
  F.Where = Places.location(R.at("locations").at(0));
  F.Function = functionOf(R.at("locations").at(0));
  if (auto P = R.find("properties"); P != R.end())
    properties(*P, F);
  if (auto P = R.find("partialFingerprints"); P != R.end())
    F.Fingerprint = P->value(SarifFingerprintKey, "");
  F.Suppressed = suppressionOf(R);
  for (const json &N : R.value("relatedLocations", json::array()))
    F.Notes.push_back({Places.location(N), N.value("message", json::object()).value("text", "")});
  for (const json &Fix : R.value("fixes", json::array()))
    fix(Fix, F.Fixes);
  return F;
}

void Reader::read(FindingSet &Out) {
  const json &Driver = Run.at("tool").at("driver");
  for (const json &R : Driver.value("rules", json::array()))
    Out.Rules.push_back(ruleFromSarif(R));
  for (const json &A : Run.value("artifacts", json::array()))
    if (A.contains("hashes"))
      Out.SourceHashes[Places.file(A.at("location"))] = A["hashes"].value("sha-256", "");
  for (const json &I : Run.value("invocations", json::array()))
    for (const json &N : I.value("toolExecutionNotifications", json::array()))
      Out.Notifications.push_back(N.at("message").value("text", ""));
  for (const json &R : Run.value("results", json::array()))
    Out.Findings.push_back(result(R));
  const json Properties = Run.value("properties", json::object());
  for (const json &R : Properties.value("heldBack", json::array()))
    Out.HeldBack.push_back(result(R));
}

} // namespace

FindingSet fromSarif(const json &Log, const std::string &SourceRoot) {
  FindingSet Out;
  try {
    for (const json &Run : Log.at("runs"))
      Reader(Run, SourceRoot).read(Out);
  } catch (const json::exception &E) {
    throw std::runtime_error("it is not a SARIF 2.1.0 log: " + describe(E));
  }
  return Out;
}

FindingSet readSarifFile(const std::string &Path, const std::string &SourceRoot) {
  try {
    return fromSarif(parseJson(readFile(Path)), SourceRoot);
  } catch (const std::runtime_error &E) {
    throw std::runtime_error("cannot read findings from '" + Path + "': " + E.what());
  }
}

} // namespace tensorleak
