//===-- Json.cpp - Reports as a plain list, for scripts ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One object per finding. Members that do not apply are left out; files are absolute.
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"

#include "findings/Sarif.h"
#include "findings/formats/Formats.h"

using nlohmann::json;

namespace tensorleak {
namespace {

json noteOf(const PathNote &N) {
  return {{"file", N.Where.File},
          {"line", N.Where.Line},
          {"column", N.Where.Column},
          {"message", N.Message}};
}

json partOf(const PartVerdict &P) {
  json Out = {{"name", P.Part}, {"verdict", toString(P.TheVerdict)}};
  if (P.BytesPerStep)
    Out["bytesPerStep"] = *P.BytesPerStep;
  return Out;
}

void addVerdict(const Finding &F, json &Out) {
  if (F.TheVerdict)
    Out["verdict"] = toString(*F.TheVerdict);
  if (json Evidence = toJson(F.TheEvidence); !Evidence.empty())
    Out["evidence"] = Evidence;
  for (const PartVerdict &P : F.Parts)
    Out["parts"].push_back(partOf(P));
  if (F.Suppressed)
    Out["suppressed"] = F.Suppressed->Why;
}

json findingOf(const Finding &F) {
  json Out = {
      {"rule", F.Rule},       {"kind", toString(F.TheKind)}, {"level", toString(F.TheLevel)},
      {"file", F.Where.File}, {"line", F.Where.Line},        {"column", F.Where.Column},
      {"message", F.Message}};
  if (F.Bytes)
    Out["bytes"] = *F.Bytes;
  if (!F.BytesFormula.empty())
    Out["bytesFormula"] = F.BytesFormula;
  if (!F.Fingerprint.empty())
    Out["fingerprint"] = F.Fingerprint;
  for (const PathNote &N : F.Notes)
    Out["notes"].push_back(noteOf(N));
  addVerdict(F, Out);
  return Out;
}

} // namespace

void JsonReport::write(std::ostream &Out) const {
  json Findings = json::array();
  for (const Finding &F : Set.Findings)
    Findings.push_back(findingOf(F));
  printJson(Out, Findings);
}

} // namespace tensorleak
