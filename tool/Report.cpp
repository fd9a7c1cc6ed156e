//===-- Report.cpp - tensorleak report ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the report again from the records of a run; of a job's, all ranks together.
//
//===----------------------------------------------------------------------===//
#include "Output.h"
#include "runtime/record/MemoryViz.h"
#include "runtime/report/JobReport.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace tensorleak {
namespace {

struct ReportOptions {
  std::vector<std::string> Records;
  OutputOptions Output;
  std::string MemoryViz;
  std::vector<std::string> FailOn;
};

Job readJob(const std::vector<std::string> &Paths) {
  std::vector<RunRecord> All;
  for (const std::string &Path : Paths)
    for (RunRecord &R : readRecords(Path)) {
      if (R.IsSnapshot) // it names no process
        R.Part.Pid = All.size() + 1;
      All.push_back(std::move(R));
    }
  return jobOf(std::move(All));
}

/// One process as `run` reported it.
FindingSet findingsOf(const Job &J) {
  return J.Parts.size() == 1 ? J.Parts.front().Findings : mergeFindings(J);
}

void printSummary(std::ostream &Out, const Job &J, const FindingSet &Findings) {
  if (J.Parts.size() > 1)
    return printJobSummary(Out, J, Findings);
  if (J.Parts.front().IsSnapshot)
    printLargest(Out, J.Parts.front());
  RunSummary Summary = summaryOf(J.Parts.front());
  Summary.Remarks.insert(Summary.Remarks.end(), J.Remarks.begin(), J.Remarks.end());
  printSummary(Out, Findings.Findings, Summary);
}

void writeMemoryViz(const Job &J, const std::string &File) {
  if (J.Parts.size() > 1)
    throw UsageError("a snapshot for the memory viewer is of one process; name one of the records");
  std::ofstream Out(File, std::ios::binary);
  Out << memoryVizSnapshot(J.Parts.front());
  Out.close();
  if (!Out)
    throw UsageError("cannot write to '" + File + "': " + std::strerror(errno));
}

int runReport(const ReportOptions &Options) {
  Job J = readJob(Options.Records);
  FindingSet Findings = findingsOf(J);
  std::ostringstream Summary;
  printSummary(Summary, J, Findings);
  writeVerdicts(Options.Output, Findings,
                {showsColor(STDOUT_FILENO), workingFolder(), Summary.str()}, std::cout);
  if (!Options.MemoryViz.empty())
    writeMemoryViz(J, Options.MemoryViz);
  return failsOn(Options.FailOn, Findings) ? ExitFindings : ExitClean;
}

} // namespace

void addReportCommand(Application &App, int &Exit) {
  auto Options = std::make_shared<ReportOptions>();
  CLI::App *Command = App.add_subcommand(
      "report", "Print the report again from saved records; the ranks of a job side by side");
  Command
      ->add_option("RECORD", Options->Records,
                   "Files or folders of 'tensorleak run --record', or a "
                   "snapshot of torch.cuda.memory")
      ->required();
  addVerdictOptions(*Command, Options->Output, "stdout");
  addFailOnOption(*Command, Options->FailOn);
  Command->add_option("--memory-viz", Options->MemoryViz,
                      "Write a snapshot that PyTorch's memory viewer opens (a pickle)");
  Command->footer(formatHelp());
  bindCommand(*Command, Exit, Options, runReport);
}

} // namespace tensorleak
