//===-- GivenFindings.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "verdicts/GivenFindings.h"
#include "findings/SourceMap.h"

namespace tensorleak {

CLI::Option *addFindingsOptions(CLI::App &Command, GivenFindings &Given) {
  CLI::Option *Findings =
      Command.add_option("--findings", Given.File, "SARIF file of 'tensorleak check'");
  Command.add_option("--source-map", Given.Maps,
                     "FROM=TO: the findings' source folder FROM is the folder TO here");
  return Findings;
}

FindingSet readFindings(const GivenFindings &Given, const std::string &SourceRoot) {
  if (Given.File.empty())
    return {};
  FindingSet Set = withHeldBack(readSarifFile(Given.File, SourceRoot));
  for (const std::string &Map : Given.Maps)
    mapSources(Map, Set);
  return Set;
}

} // namespace tensorleak
