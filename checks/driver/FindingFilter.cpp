//===-- FindingFilter.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/FindingFilter.h"

#include "checks/driver/TidyConfig.h"
#include "checks/frontend/commands/CheckRequest.h"
#include "clang-tidy/GlobList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace tensorleak {

static void requireRegex(StringRef Key, const std::optional<std::string> &Filter) {
  std::string Error;
  if (Filter && !Regex(*Filter).isValid(Error))
    throw RequestError(Key.str() + " in .clang-tidy is '" + *Filter + "': " + Error +
                       "; give a regular expression");
}

FindingFilter::FindingFilter(const clang::tidy::ClangTidyOptions &Config)
    : Headers(Config.HeaderFilterRegex), ExcludedHeaders(Config.ExcludeHeaderFilterRegex),
      AsErrors(Config.WarningsAsErrors.value_or("")), Options(Config.CheckOptions) {
  requireRegex("HeaderFilterRegex", Headers);
  requireRegex("ExcludeHeaderFilterRegex", ExcludedHeaders);
}

bool FindingFilter::isWanted(const std::string &File) const {
  if (ExcludedHeaders && !ExcludedHeaders->empty() && Regex(*ExcludedHeaders).match(File))
    return false;
  // clang-tidy takes an empty filter for one that matches nothing.
  return !Headers || (!Headers->empty() && Regex(*Headers).match(File));
}

bool FindingFilter::showsNotesOf(StringRef Rule) const {
  auto Found = Options.find(Rule.str() + ".Notes");
  if (Found == Options.end())
    Found = Options.find("Notes"); // of all rules
  return Found != Options.end() && isTrue(Found->second.Value);
}

void FindingFilter::apply(const std::string &MainFile, std::vector<Finding> &Findings) const {
  erase_if(Findings,
           [&](const Finding &F) { return F.Where.File != MainFile && !isWanted(F.Where.File); });
  clang::tidy::GlobList Globs(AsErrors);
  for (Finding &F : Findings) {
    F.AsError = F.TheLevel == Level::Warning && Globs.contains(F.Rule);
    F.IsShown = F.TheLevel == Level::Note && showsNotesOf(F.Rule);
  }
}

} // namespace tensorleak
