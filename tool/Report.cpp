//===-- Report.cpp - tensorleak report ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the report again from the records of a run; of a job's, all ranks together.
//
//===----------------------------------------------------------------------===//
#include "Output.h"
#include "pages/ReportPage.h"
#include "runtime/record/MemoryViz.h"
#include "runtime/report/ChromeTrace.h"
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
  std::string MemoryViz, ChromeTrace, Compare;
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

void printSummary(std::ostream &Out, const Job &J, const FindingSet &Findings) {
  if (J.Parts.size() > 1)
    return printJobSummary(Out, J, Findings);
  if (J.Parts.front().IsSnapshot)
    printLargest(Out, J.Parts.front());
  RunSummary Summary = summaryOf(J.Parts.front(), workingFolder());
  Summary.Remarks.insert(Summary.Remarks.end(), J.Remarks.begin(), J.Remarks.end());
  printSummary(Out, Findings.Findings, Summary);
}

void writeWhole(const std::string &File, const std::string &Text) {
  std::ofstream Out(File, std::ios::binary);
  Out << Text;
  Out.close();
  if (!Out)
    throw UsageError("cannot write to '" + File + "': " + std::strerror(errno));
}

void writeMemoryViz(const Job &J, const std::string &File) {
  if (J.Parts.size() > 1)
    throw UsageError("a snapshot for the memory viewer is of one process; name one of the records");
  writeWhole(File, memoryVizSnapshot(J.Parts.front()));
  sayWhere("the snapshot for the memory viewer is", File);
}

void writeChromeTrace(const Job &J, const std::string &File) {
  writeWhole(File,
             chromeTrace(J).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  sayWhere("the trace is", File);
}

/// A page is for people, so a format for machines is written where it was asked for.
bool wantsPage(const OutputOptions &Output) {
  return isPageName(Output.File) && formatNamed(formatOf(Output)).ReadBy == Reader::People;
}

std::optional<EarlierRun> earlierRun(const std::string &Path) {
  if (Path.empty())
    return std::nullopt;
  return EarlierRun{Path, readJob({Path})};
}

int runReport(const ReportOptions &Options) {
  OutputOptions Output = Options.Output;
  if (!Options.Compare.empty() && !wantsPage(Output))
    throw UsageError("--compare is for a page, and needs -o FILE.html; 'tensorleak diff' "
                     "compares two runs in text");
  Job J = readJob(Options.Records);
  FindingSet Findings = findingsOf(J);
  std::ostringstream Summary;
  printSummary(Summary, J, Findings);
  if (wantsPage(Options.Output)) {
    writeReportPage(J, Findings, Options.Output.File, earlierRun(Options.Compare));
    Output.File.clear();
  }
  writeVerdicts(Output, Findings, contextFor(STDOUT_FILENO, Summary.str()), std::cout);
  if (!Options.MemoryViz.empty())
    writeMemoryViz(J, Options.MemoryViz);
  if (!Options.ChromeTrace.empty())
    writeChromeTrace(J, Options.ChromeTrace);
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
  Command->add_option("--compare", Options->Compare,
                      "An earlier run's record or folder: the page has both side by side");
  Command->add_option("--memory-viz", Options->MemoryViz,
                      "Write a snapshot that PyTorch's memory viewer opens (a pickle)");
  Command->add_option("--chrome-trace", Options->ChromeTrace,
                      "Write memory over time as a trace that Perfetto (ui.perfetto.dev) opens");
  Command->footer(
      "-o out.html writes a page for a browser: memory over time, findings, flame graphs.\n\n" +
      formatHelp());
  bindCommand(*Command, Exit, Options, runReport);
}

} // namespace tensorleak
