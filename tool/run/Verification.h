//===-- Verification.h - A run, from findings to verdicts -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the program runs: which lines to watch, told to the probe in a file.
// Afterwards: the trace replayed and the findings judged. In between the tool
// runs the program. All files live in a folder of their own that goes away.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_VERIFICATION_H
#define TENSORLEAK_TOOL_VERIFICATION_H

#include "findings/baseline/Baseline.h"
#include "run/TemporaryFolder.h"
#include "runtime/record/Record.h"
#include "runtime/replay/assertions/Assertion.h"
#include "runtime/replay/facts/points/PointPlan.h"
#include "runtime/replay/suppressions/Suppressions.h"
#include "runtime/report/RunReport.h"

#include <filesystem>

namespace tensorleak {

class Verification {
public:
  /// \p Modules may hold the code that the findings speak of.
  Verification(FindingSet Findings, const std::vector<std::string> &Modules);

  /// Before the run: findings in sources that no module was compiled from. \returns how many, but
  /// for notes.
  size_t leaveOutFindingsElsewhere();

  /// Whether notes that the check held back are reported though the run does not confirm them.
  void wantNotes(bool Wanted) { WithNotes = Wanted; }

  /// The file that the environment variable trace::ProbeConfigVariable must name.
  std::string configFile() const;

  /// Where the program asks whether what it asserts holds, and the answer, which is counted.
  /// The program waits for it, on whatever thread.
  std::string questionSocket() const;
  AssertionResult answer(uint64_t Pid, uint64_t Id);

  /// The trace, as it is now, of the process that allocated most; "" if there is none.
  std::string busiestTrace() const;

  /// For a process of that user that runs already: where it shall connect to.
  std::string prepareToAttach(uid_t User, gid_t Group);

  /// Whether a finding speaks of what the program asks CUDA for by itself.
  bool asksForCudaCalls() const;

  /// The report shall say what would lower the peak.
  void wantAdvice() { WithAdvice = true; }

  /// Whether a finding says that a graph is built and never differentiated, or advice
  /// is wanted and the program was seen to do so.
  bool asksForRunWithoutGradients() const;
  /// The configuration of such a run, and what is learned from it.
  std::string configWithoutGradients() const;
  void takePeakWithoutGradients();

  /// Leaks that are known.
  void setSuppressions(std::vector<SuppressionLine> Lines) { Suppressions = std::move(Lines); }

  /// What a team accepts; its paths are below \p Root.
  void setBaseline(Baseline TheBaseline, std::string Root) {
    Accepted = std::move(TheBaseline);
    SourceRoot = std::move(Root);
  }

  /// Judges the findings by the trace that the program left, and adds the growth
  /// that none of them speaks of. \throws std::runtime_error if it cannot be read.
  void judge();

  const FindingSet &findings() const { return Set; }
  const RunSummary &summary() const { return Summary; }

  /// After judge(): a record of each process that used LibTorch or CUDA.
  std::vector<RunRecord> records();

  /// If the tool is killed, \p Report is called in a process that remains, if anything was
  /// recorded.
  void onKill(const std::function<void()> &Report);

  /// Copies the trace that was judged, if there is one.
  bool hasTrace() const { return !Traces.empty(); }
  void keepTrace(const std::string &File);

private:
  /// What a trace says of all findings.
  struct Judged {
    FindingSet Set;
    RunSummary Summary;
    RunRecord Record;
  };
  void writeConfig(const std::string &ControlSocket) const;
  void reportAnswers();
  bool recordedUnusedGraphs() const;
  std::vector<std::filesystem::path> allTraces(const std::string &Prefix) const;
  /// The traces with that prefix that saw an allocation, those that saw most first.
  std::vector<std::filesystem::path> tracesOf(const std::string &Prefix) const;
  Judged judgeTrace(const std::filesystem::path &Path);
  void judgeInOtherProcesses();
  void judgeWithoutTrace();
  bool hasNoRoom() const;
  void markChanged(std::vector<FindingFacts> &Facts) const;

  TemporaryFolder Folder;
  FindingSet Set;
  std::set<std::string> Changed; ///< sources that differ from what was analysed
  DebugFiles Files;
  PointPlan Plan;
  std::vector<std::string> Modules;
  FindingSet Unjudged;
  /// By process and scope: the last answer counts.
  std::map<std::pair<uint64_t, uint64_t>, trace::AssertionAnswer> Answers;
  std::vector<std::filesystem::path> Traces; ///< the first is the one that is judged
  std::optional<int64_t> PeakWithoutGrad;
  std::vector<SuppressionLine> Suppressions;
  Baseline Accepted;
  std::string SourceRoot;
  bool WithAdvice = false;
  bool WithNotes = false;
  RunSummary Summary;
  RunRecord Record;
  std::map<std::string, RunRecord> OtherRecords; ///< by trace, of those that were judged as well
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_VERIFICATION_H
