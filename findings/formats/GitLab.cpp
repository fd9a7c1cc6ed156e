//===-- GitLab.cpp - Reports for merge requests of GitLab -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subset of Code Climate's format that GitLab reads: a list of issues with a path
// relative to the repository. Two issues with one fingerprint are one to GitLab, so each
// has its own; it names the file, for two files may hold the same function.
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/VerdictText.h"
#include "findings/formats/Formats.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace tensorleak {
namespace {

const char *severityOf(const Finding &F) {
  if (F.TheVerdict == Verdict::Refuted)
    return "info";
  if (F.AsError || F.TheVerdict == Verdict::Confirmed)
    return "critical";
  return F.TheLevel == Level::Warning ? "major" : "minor";
}

/// What stays the same while other lines of the file change.
std::string identityOf(const Finding &F, const std::string &Path) {
  std::string Known =
      F.Fingerprint.empty() ? std::to_string(F.Where.Line) + '\n' + F.Message : F.Fingerprint;
  return F.Rule + '\n' + Path + '\n' + Known;
}

json issueOf(const Finding &F, const std::string &Path, const std::string &Fingerprint) {
  return {{"description", messageWithVerdict(F)},
          {"check_name", F.Rule},
          {"fingerprint", Fingerprint},
          {"severity", severityOf(F)},
          {"location", {{"path", Path}, {"lines", {{"begin", std::max(F.Where.Line, 1u)}}}}}};
}

} // namespace

void GitLabReport::write(std::ostream &Out) const {
  json Issues = json::array();
  std::map<std::string, unsigned> Seen;
  for (const Finding &F : Set.Findings) {
    if (F.Suppressed)
      continue;
    std::string Path = shortPath(F.Where.File, Context.Folder), Identity = identityOf(F, Path);
    if (unsigned Before = Seen[Identity]++)
      Identity += '\n' + std::to_string(Before);
    Issues.push_back(issueOf(F, Path, hashText(Identity)));
  }
  printJson(Out, Issues);
}

} // namespace tensorleak
