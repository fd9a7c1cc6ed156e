//===-- Verification.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/Verification.h"
#include "Command.h"
#include "findings/files/FileUri.h"
#include "runtime/record/RecordOfRun.h"
#include "runtime/replay/advice/Advice.h"
#include "runtime/replay/debuginfo/StaticTorch.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/facts/points/NvccLines.h"
#include "runtime/replay/facts/points/PythonPoints.h"
#include "runtime/replay/recording/KeptTrace.h"
#include "runtime/replay/verdicts/Expected.h"
#include "runtime/replay/verdicts/Verdicts.h"
#include "runtime/report/PeakReport.h"
#include "verdicts/Summary.h"
#include "verdicts/UnconfirmedNotes.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

constexpr const char *TraceSuffix = ".tltrace";
/// The traces of the run itself, and of the one with gradients off.
constexpr const char *Watched = "trace", *WithoutGradients = "no-grad";

/// What decides between the traces of several processes: who used LibTorch most.
uint64_t allocationsIn(const fs::path &Trace) {
  return trace::readTotals(Trace.string()).Now.Allocations;
}

RuleInfo observedGrowthRule() {
  return {rules::ObservedGrowth,
          "Memory that a run saw growing and no other finding speaks of",
          "",
          "",
          "",
          Kind::Retention,
          Level::Note};
}

RuleInfo observedUnfreedRule() {
  return {rules::ObservedUnfreed,
          "What a run saw taken from CUDA and never given back",
          "",
          "",
          "",
          Kind::Ownership,
          Level::Note};
}

} // namespace

Verification::Verification(FindingSet Findings, const std::vector<std::string> &Modules)
    : Set(std::move(Findings)), Modules(Modules) {
  for (const std::string &Path : changedSources(Set))
    Changed.insert(Path);
  addLinesOfNvcc(Set.Findings, Modules, Files);
  Plan = planPoints(Set.Findings, Modules, Files);
  writeConfig("");
}

size_t Verification::leaveOutFindingsElsewhere() {
  size_t Kept = 0, Left = 0;
  for (size_t I = 0; I < Set.Findings.size(); ++I) {
    if (Plan.ByFinding[I].IsElsewhere) {
      Left += Set.Findings[I].TheLevel != Level::Note;
      continue;
    }
    std::swap(Set.Findings[Kept], Set.Findings[I]);
    std::swap(Plan.ByFinding[Kept++], Plan.ByFinding[I]);
  }
  Set.Findings.resize(Kept);
  Plan.ByFinding.resize(Kept);
  return Left;
}

void Verification::writeConfig(const std::string &ControlSocket) const {
  trace::ProbeConfig Config;
  Config.TracePrefix = Folder.path() / Watched;
  Config.ControlSocket = ControlSocket;
  if (ControlSocket.empty())
    Config.QuestionSocket = questionSocket();
  Config.Points = Plan.Points;
  std::ofstream(configFile()) << trace::writeProbeConfig(Config);
}

std::string Verification::prepareToAttach(uid_t User, gid_t Group) {
  std::string Socket = Folder.path() / "control";
  writeConfig(Socket);
  if (User != geteuid() && chown(Folder.path().c_str(), User, Group) != 0)
    throw UsageError("cannot give the folder '" + Folder.path().string() +
                     "' to the process's user: " + std::strerror(errno));
  return Socket;
}

std::string Verification::configFile() const { return Folder.path() / "probe.conf"; }

std::string Verification::questionSocket() const { return Folder.path() / "ask"; }

AssertionResult Verification::answer(uint64_t Pid, uint64_t Id) {
  trace::ProbeConfig Config;
  Config.TracePrefix = Folder.path() / Watched;
  Recording R = readRecording(trace::tracePath(Config, Pid));
  Symbolizer Symbols(R, Files);
  AssertionResult Out = judgeAssertion(std::move(R), Id, Symbols);
  Answers[{Pid, Id}] = Out.Answer;
  return Out;
}

/// "3 assertions of the program held, 1 failed, 1 could not be judged".
void Verification::reportAnswers() {
  std::map<trace::AssertionAnswer, unsigned> Counts;
  for (const auto &[Scope, Answer] : Answers)
    ++Counts[Answer];
  std::string Out;
  for (const auto &[Answer, What] : {std::pair{trace::AssertionAnswer::Holds, " held"},
                                     {trace::AssertionAnswer::Fails, " failed"},
                                     {trace::AssertionAnswer::Unknown, " could not be judged"}})
    if (unsigned Count = Counts[Answer])
      Out += (Out.empty() ? "of the program's assertions " : ", ") + std::to_string(Count) + What;
  if (!Out.empty())
    Summary.Remarks.push_back(Out);
}

bool Verification::asksForCudaCalls() const {
  return std::any_of(Set.Findings.begin(), Set.Findings.end(),
                     [](const Finding &F) { return F.Rule == rules::UnfreedDeviceMemory; });
}

bool Verification::recordedUnusedGraphs() const {
  std::vector<fs::path> Recorded = tracesOf(Watched);
  return !Recorded.empty() && buildsUnusedGraphs(readRecording(Recorded.front().string()));
}

bool Verification::asksForRunWithoutGradients() const {
  if (WithAdvice && recordedUnusedGraphs())
    return true;
  return std::any_of(Set.Findings.begin(), Set.Findings.end(), [](const Finding &F) {
    return F.TheKind == Kind::Peak && F.TheSubject.Graph;
  });
}

std::string Verification::configWithoutGradients() const {
  trace::ProbeConfig Config;
  Config.TracePrefix = Folder.path() / WithoutGradients;
  Config.NoGrad = true;
  std::string File = Folder.path() / "no-grad.conf";
  std::ofstream(File) << trace::writeProbeConfig(Config);
  return File;
}

void Verification::takePeakWithoutGradients() {
  std::vector<fs::path> Recorded = tracesOf(WithoutGradients);
  if (!Recorded.empty())
    PeakWithoutGrad = highestPeak(readRecording(Recorded.front().string())).Bytes;
}

std::vector<fs::path> Verification::allTraces(const std::string &Prefix) const {
  std::vector<fs::path> Out;
  for (const fs::path &File : Folder.files(TraceSuffix))
    if (!fs::is_empty(File) && File.filename().string().rfind(Prefix + ".", 0) == 0)
      Out.push_back(File);
  return Out;
}

/// The probe made the file, and there was no room for the first of it.
bool Verification::hasNoRoom() const {
  std::vector<fs::path> Files = Folder.files(TraceSuffix);
  return std::any_of(Files.begin(), Files.end(), [](const fs::path &F) { return fs::is_empty(F); });
}

std::string Verification::busiestTrace() const {
  std::string Busiest;
  uint64_t Most = 0;
  for (const fs::path &Trace : allTraces(Watched))
    if (uint64_t Allocations = allocationsIn(Trace); Allocations > Most) {
      Most = Allocations;
      Busiest = Trace.string();
    }
  return Busiest;
}

/// A shell script or a Python program starts others; the one that used LibTorch
/// most is the one that is meant.
std::vector<fs::path> Verification::tracesOf(const std::string &Prefix) const {
  std::multimap<uint64_t, fs::path, std::greater<>> Found;
  for (const fs::path &Trace : allTraces(Prefix))
    Found.emplace(allocationsIn(Trace), Trace);
  std::vector<fs::path> Out;
  for (const auto &[Allocations, Path] : Found)
    if (Allocations || Out.empty())
      Out.push_back(Path);
  return Out;
}

void Verification::markChanged(std::vector<FindingFacts> &Facts) const {
  for (size_t I = 0; I < Facts.size(); ++I)
    Facts[I].Changed = Changed.count(Unjudged.Findings[I].Where.File) != 0;
}

/// The probe writes once LibTorch is used.
void Verification::judgeWithoutTrace() {
  auto Static = std::find_if(Modules.begin(), Modules.end(), holdsLibTorch);
  std::string Why =
      hasNoRoom() ? "the trace could not be written: '" + Folder.path().parent_path().string() +
                        "' (TMPDIR) is full, or 'ulimit -f' allows files of less than 2 MiB"
      : Static != Modules.end()
          ? "LibTorch is linked statically into '" + *Static +
                "', where its functions cannot be hooked; link the shared libraries for this run"
          : "the program did not use a shared LibTorch, and called nothing of CUDA that is "
            "watched, or the probe could not be loaded into it (it drops LD_PRELOAD, or runs by "
            "setuid)";
  Summary.Remarks.push_back(Why);
  for (Finding &F : Set.Findings) {
    F.TheVerdict = Verdict::Inconclusive;
    F.TheEvidence = inconclusive(Why).TheEvidence;
  }
  if (!WithNotes)
    leaveOutUnconfirmedNotes(Set.Findings, Summary.Remarks);
  apply(Accepted, SourceRoot, Set.Findings);
}

/// What grows and is no finding's, what the program expects to, and what it leaves to CUDA.
static void addObservedGrowth(const RunFacts &Run, FindingSet &Set,
                              std::vector<std::string> &Remarks) {
  std::vector<Finding> Others = unexplainedGrowth(Run, Set.Findings);
  if (std::string Kept = keptForLater(Run, Set.Findings); !Kept.empty())
    Remarks.push_back(std::move(Kept));
  std::vector<Finding> Expected = expectedGrowth(Run);
  Others.insert(Others.end(), Expected.begin(), Expected.end());
  Set.Rules.push_back(observedGrowthRule()); // also where nothing grows: that was looked for
  Set.Findings.insert(Set.Findings.end(), Others.begin(), Others.end());
  std::vector<Finding> Unfreed = neverFreed(Run, Set.Findings);
  if (!Unfreed.empty())
    Set.Rules.push_back(observedUnfreedRule());
  Set.Findings.insert(Set.Findings.end(), Unfreed.begin(), Unfreed.end());
}

/// A finding is judged by the rounds of its own loop. Inferred ones may be another loop's, and
/// refute nothing.
static StepClock announced(const StepClock &Clock) { return Clock.Inferred ? StepClock{} : Clock; }

Verification::Judged Verification::judgeTrace(const fs::path &Path) {
  Recording R = readRecording(Path.string());
  Symbolizer Symbols(R, Files);
  RunFacts Run = buildFacts(R, Symbols);
  Run.PeakWithoutGrad = PeakWithoutGrad;
  std::vector<FindingFacts> Facts = findingFacts(R, Plan, announced(Run.Clock));
  addPythonPoints(R, Symbols, Unjudged.Findings, Facts);
  markChanged(Facts);
  Judged Out{Unjudged, summaryOf(R, Run, Symbols), recordOf(R, Run)};
  std::vector<Finding> &Findings = Out.Set.Findings;
  judgeAll(Findings, Facts, Run);
  if (!WithNotes)
    leaveOutUnconfirmedNotes(Out.Set.Findings, Out.Summary.Remarks);
  addObservedGrowth(Run, Out.Set, Out.Summary.Remarks);
  apply(Accepted, SourceRoot, Findings);
  std::vector<SuppressionLine> Known = Suppressions;
  suppress(Findings, Run, Known);
  for (std::string &Line : describe(Known))
    Out.Summary.Remarks.push_back(std::move(Line));
  std::stable_sort(Findings.begin(), Findings.end(), printsBefore);
  Out.Summary.Peak = describePeak(Out.Record, workingFolder());
  if (WithAdvice)
    Out.Summary.Advice = adviceFor(R, Run, Findings);
  Out.Record.Findings = Out.Set;
  Out.Record.Remarks = Out.Summary.Remarks;
  Out.Record.Advice = Out.Summary.Advice;
  return Out;
}

/// Where \p Process ran the line of \p F: what it says of that, among \p Other, counts.
static void adopt(Finding &F, const std::vector<Finding> &Other, const std::string &Process) {
  auto IsSame = [&](const Finding &G) {
    return G.Rule == F.Rule && G.Where == F.Where && G.TheVerdict != Verdict::NotReached;
  };
  auto Found = std::find_if(Other.begin(), Other.end(), IsSame);
  if (Found == Other.end())
    return;
  F = *Found;
  F.TheEvidence.Reason += " (in " + Process + ")";
}

static bool wasNotReached(const Finding &F) { return F.TheVerdict == Verdict::NotReached; }

/// A line that the process with the most allocations never ran, another one may have run.
void Verification::judgeInOtherProcesses() {
  std::vector<Finding> &Findings = Set.Findings;
  for (size_t I = 1; I < Traces.size(); ++I) {
    if (std::none_of(Findings.begin(), Findings.end(), wasNotReached))
      return;
    Judged Other = judgeTrace(Traces[I]);
    for (Finding &F : Findings)
      if (wasNotReached(F))
        adopt(F, Other.Set.Findings, Other.Record.name());
    OtherRecords[Traces[I].string()] = std::move(Other.Record);
  }
}

void Verification::judge() {
  Traces = tracesOf(Watched);
  if (Traces.empty())
    return judgeWithoutTrace();
  Unjudged = std::move(Set);
  Judged J = judgeTrace(Traces.front());
  Set = std::move(J.Set);
  Summary = std::move(J.Summary);
  Record = std::move(J.Record);
  judgeInOtherProcesses();
  if (Traces.size() > 1)
    Summary.Remarks.push_back(std::to_string(Traces.size()) +
                              " processes used LibTorch; judged is " + Record.name() +
                              ", with the most allocations, and what that did not reach by "
                              "the others; --record keeps all of them");
  reportAnswers();
}

std::vector<RunRecord> Verification::records() {
  std::vector<RunRecord> Out;
  if (!Traces.empty())
    Out.push_back(Record);
  for (size_t I = 1; I < Traces.size(); ++I) {
    auto Known = OtherRecords.find(Traces[I].string());
    Out.push_back(Known != OtherRecords.end() ? Known->second : judgeTrace(Traces[I]).Record);
  }
  return Out;
}

void Verification::onKill(const std::function<void()> &Report) {
  Folder.beforeRemoval([this, &Report] {
    try {
      if (!busiestTrace().empty())
        Report();
    } catch (const std::exception &) { // there is nobody left to be told
    }
  });
}

void Verification::keepTrace(const std::string &File) {
  if (!Traces.empty())
    tensorleak::keepTrace(Traces.front().string(), File, Files);
}

} // namespace tensorleak
