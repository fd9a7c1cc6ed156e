//===-- Run.cpp - tensorleak run ------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the unmodified program with the probe inside, then says of each finding
// whether it is true. Everything that can be wrong with the command is found
// before the program starts, so that no run is lost.
//
//===----------------------------------------------------------------------===//
#include "Installation.h"
#include "ci/Gate.h"
#include "findings/RuleNames.h"
#include "findings/Sarif.h"
#include "live/Progress.h"
#include "run/AssertionServer.h"
#include "run/CheckedSources.h"
#include "run/Launch.h"
#include "run/ProgramFile.h"
#include "run/Target.h"
#include "run/Verification.h"
#include "runtime/replay/debuginfo/StaticTorch.h"
#include "runtime/replay/growth/Growth.h"
#include "verdicts/GivenFindings.h"
#include "verdicts/Reporting.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace tensorleak {
namespace {

struct RunOptions : ReportingOptions {
  const Application *App = nullptr; ///< has the program and its arguments
  GivenFindings Findings;
  std::string Baseline;
  std::string Build;                ///< the folder of compile_commands.json
  std::vector<std::string> Modules; ///< libraries that the program opens by itself
  bool WhatIf = false;              ///< a second run with gradients off
  bool Advise = false;              ///< what would lower the peak
  bool Top = false;                 ///< a table while it runs

  const std::vector<std::string> &program() const {
    if (!App->AfterDashes || App->AfterDashes->empty())
      throw UsageError("no program given; write 'tensorleak run [options] -- PROGRAM ARGS'");
    return *App->AfterDashes;
  }
};

/// Names the library that the CUDA driver is to load.
constexpr const char *InjectionVariable = "CUDA_INJECTION64_PATH";

FindingSet findingsOf(const RunOptions &Options) {
  const std::string &Root = Options.Output.SourceRoot;
  return Options.Build.empty() ? readFindings(Options.Findings, Root)
                               : checkSources(Options.Build, Root);
}

/// Who names the shared runtime calls it, beside LibTorch, whose calls are told from these by the
/// return address.
bool namesCudaRuntime(const std::vector<std::string> &Modules) {
  auto IsRuntime = [](const std::string &Name) { return Name.rfind("libcudart", 0) == 0; };
  return std::any_of(Modules.begin(), Modules.end(), [&](const std::string &Module) {
    std::vector<std::string> Needed = readProgramFile(Module).Needed;
    return std::any_of(Needed.begin(), Needed.end(), IsRuntime);
  });
}

bool linksLibTorch(const std::string &Program) {
  return linksLibrary(Program, {"libtorch", "libc10"});
}

/// LibTorch's allocator makes calls of CUDA too, but tells of its memory itself.
bool usesCudaByItself(const std::string &Program) {
  if (linksLibTorch(Program))
    return namesCudaRuntime(userModules(Program));
  return linksLibrary(Program, {"libcudart", "libcuda.so"}) || holdsCudaRuntime(Program);
}

bool anyUsesCudaByItself(const RunOptions &Options, const std::string &Program) {
  std::vector<std::string> Started = programsAmong(Options.program());
  return usesCudaByItself(Program) || std::any_of(Started.begin(), Started.end(), usesCudaByItself);
}

/// What only starts another program, as `timeout`, `mpirun` and a shell do, has no finding in it.
std::vector<std::string> modulesOf(const RunOptions &Options, const std::string &Program) {
  std::vector<std::string> Programs = programsAmong(Options.program());
  std::vector<std::string> Modules;
  bool IsAlone = Programs.empty() && Options.Modules.empty();
  if (IsAlone || linksLibTorch(Program) || usesCudaByItself(Program))
    Modules = userModules(Program);
  for (const std::string &Started : Programs)
    for (std::string &Module : userModules(Started))
      Modules.push_back(std::move(Module));
  for (const std::string &Module : Options.Modules) {
    std::error_code Error;
    auto Path = std::filesystem::canonical(Module, Error);
    if (Error)
      throw UsageError("cannot read the module '" + Module + "': " + Error.message());
    Modules.push_back(Path.string());
  }
  return Modules;
}

Launch launchOf(const RunOptions &Options, const std::string &Program, const Verification &V) {
  Launch L;
  L.Program = Program;
  L.Arguments = Options.program();
  bool Cuda = V.asksForCudaCalls() || anyUsesCudaByItself(Options, Program);
  L.Preload = requireProbe(Cuda ? CudaProbeName : TorchProbeName);
  L.Environment = {{trace::ProbeConfigVariable, V.configFile()}};
  // A static runtime is only seen by CUPTI, and the user's own profiler comes first.
  if (Cuda && !linksLibrary(Program, {"libcudart"}) && !getenv(InjectionVariable))
    L.Environment.emplace_back(InjectionVariable, L.Preload);
  return L;
}

/// Whether the run was long enough to judge anything, and what was watched was there. Findings
/// have verdicts of their own, and what a program of CUDA leaves unfreed needs no steps.
bool judgedAnything(const RunOptions &Options, const std::string &Program, const Verification &V) {
  return V.summary().Steps >= MinStepsToJudge || !V.findings().Findings.empty() ||
         anyUsesCudaByItself(Options, Program);
}

int exitCodeFor(const RunOptions &Options, const std::string &Program, const Verification &V,
                const Ending &End) {
  if (failsOn(Options.FailOn, V.findings()))
    return ExitFindings;
  if (judgedAnything(Options, Program, V))
    return End.ExitCode;
  if (uint32_t Steps = V.summary().Steps)
    std::cerr << "tensorleak: " << counted(Steps, "step") << (Steps == 1 ? " is" : " are")
              << " too few to tell growth from warm-up; at least " << MinStepsToJudge
              << " are needed\n";
  const auto &Names = Options.FailOn;
  const bool Counts =
      std::find(Names.begin(), Names.end(), toString(Verdict::Inconclusive)) != Names.end();
  if (Counts)
    std::cerr << "tensorleak: nothing could be judged, which '--fail-on inconclusive' counts\n";
  return Counts ? int(ExitFindings) : End.ExitCode;
}

/// Nobody should see the second run: neither its output nor how it ends.
void runWithoutGradients(const RunOptions &Options, const std::string &Program, Verification &V) {
  if (!(Options.WhatIf || Options.Advise) || !V.asksForRunWithoutGradients())
    return;
  Launch L = launchOf(Options, Program, V);
  L.Environment = {{trace::ProbeConfigVariable, V.configWithoutGradients()}};
  L.Quiet = true;
  if (launch(L).ExitCode != 0)
    std::cerr << "tensorleak: with gradients off the program failed; what they cost is not known\n";
  else
    V.takePeakWithoutGradients();
}

/// Until the program has ended, what it asserts is answered, and how it is doing is shown.
Ending launchWatched(const RunOptions &Options, const Launch &L, Verification &V) {
  AssertionServer Server(V.questionSocket(),
                         [&V](uint64_t Pid, uint64_t Id) { return V.answer(Pid, Id); });
  Progress Shown([&V] { return V.busiestTrace(); }, Options.Top);
  return launch(L);
}

/// A project has several programs, and was checked as a whole.
void leaveOutOtherPrograms(Verification &V) {
  if (size_t Count = V.leaveOutFindingsElsewhere())
    std::cerr << "tensorleak: " << counted(Count, "finding") << (Count == 1 ? " is" : " are")
              << " left out: this program is not built from "
              << (Count == 1 ? "its source" : "their sources")
              << " (a library that it opens while it runs is named by --module)\n";
}

int runRun(const RunOptions &Options) {
  std::string Program = resolveProgram(Options.program().front());
  requireProbe(TorchProbeName);
  prepareReporting(Options, "the program was not started");
  std::vector<SuppressionLine> Suppressions = suppressionsOf(Options);
  Baseline Accepted = Options.Baseline.empty() ? Baseline() : Baseline::read(Options.Baseline);
  std::vector<std::string> Modules = modulesOf(Options, Program);
  Verification V(findingsOf(Options), Modules);
  if (!Options.Build.empty())
    leaveOutOtherPrograms(V);
  V.wantNotes(Options.wantsNotes());
  V.setSuppressions(std::move(Suppressions));
  V.setBaseline(std::move(Accepted), sarifContext(Options.Output).SourceRoot);
  if (Options.Advise)
    V.wantAdvice();
  V.onKill([&] {
    V.judge();
    report(Options, V);
  });
  Ending End = launchWatched(Options, launchOf(Options, Program, V), V);
  try {
    if (End.ExitCode == 0)
      runWithoutGradients(Options, Program, V);
    V.judge();
    report(Options, V);
  } catch (const std::exception &E) { // the program's own ending still counts
    std::cerr << "tensorleak: error: " << E.what() << '\n';
    return End.ExitCode ? End.ExitCode : int(ExitIncomplete);
  }
  return exitCodeFor(Options, Program, V, End);
}

} // namespace

void addRunCommand(Application &App, int &Exit) {
  auto Options = std::make_shared<RunOptions>();
  Options->App = &App;
  CLI::App *Command = App.add_subcommand(
      "run", "Run a program and say of each finding whether it is true: confirmed, refuted, "
             "not reached or inconclusive");
  CLI::Option *Findings = addFindingsOptions(*Command, Options->Findings);
  Command
      ->add_option("-p,--build", Options->Build,
                   "Check the sources of this folder's compile_commands.json first, and judge what "
                   "is found in those of the program")
      ->excludes(Findings);
  addReportingOptions(*Command, *Options);
  Command->add_option("--module", Options->Modules,
                      "A shared library with findings that the program opens while it runs");
  addBaselineOption(*Command, Options->Baseline);
  Command->add_flag("--what-if", Options->WhatIf,
                    "Run the program a second time, unseen and with gradients off, if a finding "
                    "says that a graph is built for nothing: the bytes that it costs");
  Command->add_flag("--advise", Options->Advise,
                    "Say what the highest memory consisted of and what would lower it, with the "
                    "bytes; runs the program a second time if it builds graphs for nothing");
  addTopOption(*Command, Options->Top);
  Command->footer(
      "The program and its arguments follow after --. Findings of sources that changed\n"
      "since are inconclusive. Growth that no finding speaks of is reported as\n[" +
      std::string(rules::ObservedGrowth) + "], and counts for --fail-on.\n\n" + formatHelp());
  Command->formatter(std::make_shared<UsageWith>(" -- PROGRAM [ARGS...]"));
  bindCommand(*Command, Exit, Options, runRun);
}

} // namespace tensorleak
