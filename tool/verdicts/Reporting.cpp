//===-- Reporting.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "verdicts/Reporting.h"
#include "Installation.h"
#include "pages/ReportPage.h"
#include "run/RecordFolder.h"

#include <iostream>
#include <sstream>
#include <unistd.h>

namespace tensorleak {
namespace {

void writePage(const std::string &File, const std::vector<RunRecord> &Records) {
  if (Records.empty())
    throw std::runtime_error("no process was recorded, so '" + File + "' was not written");
  Job J = jobOf(Records);
  writeReportPage(J, findingsOf(J), File);
}

void writeRecords(const ReportingOptions &Options, const std::vector<RunRecord> &Records) {
  if (!Options.Record.empty()) {
    replaceRecords(Options.Record, Records);
    sayWhere("the record is", Options.Record);
  }
  if (!Options.Page.empty())
    writePage(Options.Page, Records);
}

} // namespace

void addReportingOptions(CLI::App &Command, ReportingOptions &Options) {
  addVerdictOptions(Command, Options.Output, "stderr");
  addFailOnOption(Command, Options.FailOn);
  addLevelOption(Command, Options.Lowest,
                 "note: of the check's notes also those that the run does not confirm (default: "
                 "warning)");
  Command.add_option("--suppressions", Options.Suppressions,
                     "A file with a line leak:PATTERN for each leak that is known (the syntax "
                     "of LeakSanitizer)");
  Command.add_option("--record", Options.Record,
                     "Keep a record of each process in this folder, for 'tensorleak report' and "
                     "'tensorleak diff'; the ranks of a job may share it");
  Command.add_option("--report", Options.Page,
                     "Write a page for a browser to this file: memory over time, findings with "
                     "their lines, flame graphs");
  Command.add_option("--keep-trace", Options.KeepTrace, "Keep the recorded trace in this file");
}

void addTopOption(CLI::App &Command, bool &Top) {
  Command.add_flag("--top", Top,
                   "Meanwhile show, on a terminal, a table of the places that keep most, and not "
                   "one line");
}

std::string requireProbe(const std::string &Name) {
  if (auto Probe = findLibrary(Name))
    return Probe->string();
  throw UsageError("the probe " + Name +
                   " is missing; 'tensorleak doctor' says where it was looked for");
}

void prepareReporting(const ReportingOptions &Options, const std::string &Advice) {
  for (const std::string *File : {&Options.Output.File, &Options.KeepTrace, &Options.Page})
    requireWritable(*File, Advice);
  requireWritable(editorsFile(Options.Output), Advice);
  if (!Options.Record.empty())
    prepareRecordFolder(Options.Record);
}

std::vector<SuppressionLine> suppressionsOf(const ReportingOptions &Options) {
  std::vector<SuppressionLine> All;
  for (const std::string &File : Options.Suppressions)
    for (SuppressionLine &Line : readSuppressions(File))
      All.push_back(std::move(Line));
  return All;
}

void report(const ReportingOptions &Options, Verification &V) {
  std::ostringstream Summary;
  printSummary(Summary, V.findings().Findings, V.summary());
  writeVerdicts(Options.Output, V.findings(), contextFor(STDERR_FILENO, Summary.str()), std::cerr);
  if (!Options.KeepTrace.empty() && V.hasTrace()) {
    V.keepTrace(Options.KeepTrace);
    sayWhere("the trace is", Options.KeepTrace);
  }
  if (!Options.Record.empty() || !Options.Page.empty())
    writeRecords(Options, V.records());
}

} // namespace tensorleak
