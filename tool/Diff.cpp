//===-- Diff.cpp - tensorleak diff ----------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the records of two runs, place by place.
//
//===----------------------------------------------------------------------===//
#include "Command.h"
#include "Output.h"
#include "findings/Json.h"
#include "findings/formats/Formats.h"
#include "runtime/report/DiffReport.h"

#include <iostream>

namespace tensorleak {
namespace {

struct DiffOptions {
  std::string Before, After, Format = TextReport::Name;
  double TolerancePercent = 5;
};

int runDiff(const DiffOptions &Options) {
  constexpr double Percent = 100;
  RunDiff D = compare(jobOf(readRecords(Options.Before)), jobOf(readRecords(Options.After)),
                      Options.TolerancePercent / Percent);
  if (Options.Format == JsonReport::Name)
    printJson(std::cout, toJson(D));
  else
    printDiff(std::cout, D);
  return D.Worse ? ExitFindings : ExitClean;
}

} // namespace

void addDiffCommand(Application &App, int &Exit) {
  auto Options = std::make_shared<DiffOptions>();
  CLI::App *Command =
      App.add_subcommand("diff", "Compare two runs by place: new, gone, grown and shrunk");
  Command->add_option("BEFORE", Options->Before, "A record, or the folder of a job's records")
      ->required();
  Command->add_option("AFTER", Options->After, "A record or a folder of the other run")->required();
  addTableFormatOption(*Command, Options->Format);
  Command
      ->add_option("--tolerance", Options->TolerancePercent,
                   "Differences of up to so many percent do not count (default: 5)")
      ->check(CLI::Range(0, 100));
  Command->footer(
      "Exit codes: 0 the same or better; 1 worse: a place gains more per step, more\n"
      "autograd nodes pile up, or the peak of an equally long run is higher; 2 wrong use.");
  bindCommand(*Command, Exit, Options, runDiff);
}

} // namespace tensorleak
