//===-- Baseline.cpp - tensorleak baseline --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes and keeps the file of findings that a team has accepted.
//
//===----------------------------------------------------------------------===//
#include "findings/baseline/Baseline.h"
#include "Output.h"
#include "findings/Sarif.h"
#include "run/CheckedSources.h"

#include <filesystem>
#include <iostream>
#include <numeric>

namespace tensorleak {
namespace {

constexpr const char *UsualFile = "tensorleak-baseline.json";

struct BaselineOptions {
  std::string Findings, Build, File;
  OutputOptions Output; ///< has the source root
};

/// Of a file, or of the check that is made now.
FindingSet findingsOf(const BaselineOptions &Options) {
  const std::string &Root = Options.Output.SourceRoot;
  if (Options.Findings.empty() == Options.Build.empty())
    throw UsageError("give either the SARIF of a check, or '-p BUILD' for the project to check");
  return Options.Build.empty() ? readSarifFile(Options.Findings, Root)
                               : checkProject(Options.Build, Root);
}

struct Job {
  std::string Root, File;
  FindingSet Set;

  explicit Job(const BaselineOptions &Options)
      : Root(sarifContext(Options.Output).SourceRoot),
        File(Options.File.empty() ? Root + "/" + UsualFile : Options.File),
        Set(findingsOf(Options)) {}
};

size_t findingsIn(const Baseline &B) {
  return std::accumulate(B.Entries.begin(), B.Entries.end(), size_t(0),
                         [](size_t Sum, const BaselineEntry &E) { return Sum + E.Count; });
}

int write(const Job &J, const Baseline &B, const std::string &More) {
  B.write(J.File);
  size_t Count = findingsIn(B);
  std::cerr << J.File << ": " << Count << (Count == 1 ? " finding" : " findings") << More << '\n';
  return ExitClean;
}

int runCreate(const BaselineOptions &Options) {
  Job J(Options);
  std::error_code Error;
  if (std::filesystem::exists(J.File, Error))
    throw UsageError("'" + J.File + "' is there already; 'tensorleak baseline update' brings it " +
                     "up to date");
  return write(J, updated({}, J.Root, J.Set), "");
}

int runUpdate(const BaselineOptions &Options) {
  Job J(Options);
  Baseline Old = Baseline::read(J.File);
  return write(J, updated(Old, J.Root, J.Set), ", before " + std::to_string(findingsIn(Old)));
}

int runPrune(const BaselineOptions &Options) {
  Job J(Options);
  Baseline Old = Baseline::read(J.File), New = pruned(Old, J.Root, J.Set);
  return write(J, New, ", " + std::to_string(findingsIn(Old) - findingsIn(New)) + " taken out");
}

void addAction(CLI::App &Command, int &Exit, const char *Name, const char *What,
               int (*Run)(const BaselineOptions &)) {
  auto Options = std::make_shared<BaselineOptions>();
  CLI::App *Action = Command.add_subcommand(Name, What);
  Action->add_option("FINDINGS", Options->Findings,
                     "SARIF of a 'tensorleak check' of the whole project, or of a run");
  Action->add_option("-p,--build", Options->Build,
                     "Check the project whose compile_commands.json is there, instead of FINDINGS");
  Action->add_option("-o,--output", Options->File,
                     std::string("The baseline (default: ") + UsualFile +
                         " at the top of the repository)");
  Action->add_option("--source-root", Options->Output.SourceRoot,
                     "The folder that its paths are relative to (default: the top of the "
                     "repository, or the working folder)");
  bindCommand(*Action, Exit, Options, Run);
}

} // namespace

void addBaselineCommand(Application &App, int &Exit) {
  CLI::App *Command = App.add_subcommand(
      "baseline",
      "Keep a file of the findings that are accepted: check --baseline sets them aside");
  Command->require_subcommand(1);
  addAction(*Command, Exit, "create", "Write the findings into a new baseline", runCreate);
  addAction(*Command, Exit, "update",
            "Replace the findings; what was accepted by hand, and reasons, are kept", runUpdate);
  addAction(*Command, Exit, "prune", "Take out what is not found any more, and add nothing",
            runPrune);
}

} // namespace tensorleak
