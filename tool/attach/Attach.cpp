//===-- Attach.cpp - tensorleak attach ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watches a program that runs already for a while, reports as `run` does, and leaves the
// program running as it was.
//
//===----------------------------------------------------------------------===//
#include "Command.h"
#include "Installation.h"
#include "attach/Channel.h"
#include "attach/Entry.h"
#include "live/Progress.h"
#include "runtime/trace/AttachChannel.h"
#include "verdicts/GivenFindings.h"
#include "verdicts/Reporting.h"

#include <csignal>
#include <iostream>

namespace tensorleak {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct AttachOptions : ReportingOptions {
  pid_t Pid = 0;
  GivenFindings Findings;
  double Seconds = 60;
  bool Top = false; ///< a table while it is watched
};

/// Set by the signals that end the watching sooner.
volatile sig_atomic_t Stop = 0;

void onStop(int) { Stop = 1; }

/// While it lives, these signals are a wish to see the report.
class StopSignals {
public:
  StopSignals() {
    struct sigaction Action{};
    Action.sa_handler = onStop;
    for (int Signal : {SIGINT, SIGTERM, SIGHUP})
      sigaction(Signal, &Action, nullptr);
  }
  ~StopSignals() {
    for (int Signal : {SIGINT, SIGTERM, SIGHUP})
      signal(Signal, SIG_DFL);
  }
};

/// In a program of gigabytes each takes a moment.
constexpr milliseconds ToEnter{20000}, ToLeave{60000}, BetweenLooks{200};

/// Waits for the probe's word, whatever else happens. 0 if the program is gone.
char waitForWord(Channel &C, const RunningProcess &P, milliseconds AtMost) {
  for (auto End = Clock::now() + AtMost; Clock::now() < End;) {
    if (auto Said = C.hear(BetweenLooks))
      return *Said;
    if (!P.isAlive())
      return 0;
  }
  return 0;
}

void awaitProbe(Channel &C, const RunningProcess &P) {
  if (!C.accept(ToEnter))
    throw UsageError("cannot watch " + P.name() + ": the probe does not answer");
  char Said = waitForWord(C, P, ToEnter);
  if (Said == trace::AttachNoTrace)
    throw UsageError("cannot watch " + P.name() + ": it cannot write the trace; set TMPDIR to a " +
                     "folder that it can write");
  if (Said != trace::AttachWatching)
    throw UsageError("cannot watch " + P.name() + ": it ended");
}

/// True if the program ran until the end of the time.
bool watch(const AttachOptions &Options, Channel &C, const RunningProcess &P) {
  StopSignals Signals;
  std::cerr << "tensorleak: watching " << P.name() << " for " << Options.Seconds
            << " s; Ctrl-C ends it sooner\n";
  auto End = Clock::now() + milliseconds(static_cast<int64_t>(Options.Seconds * 1000));
  while (!Stop && Clock::now() < End) {
    auto Left = std::chrono::duration_cast<milliseconds>(End - Clock::now());
    if (C.hear(std::min(Left + milliseconds(1), BetweenLooks)))
      return false;
  }
  C.askToLeave();
  return waitForWord(C, P, ToLeave) == trace::AttachLeft;
}

void sayHowItEnded(bool Left, const RunningProcess &P) {
  if (Left)
    std::cerr << "tensorleak: " << P.name() << " runs on without the probe\n";
  else if (P.isAlive())
    std::cerr << "tensorleak: " << P.name() << " is about to end, or does not answer any more\n";
  else
    std::cerr << "tensorleak: " << P.name() << " ended while it was watched\n";
}

bool watchAndShow(const AttachOptions &Options, Channel &C, const RunningProcess &P,
                  const Verification &V) {
  Progress Shown([&V] { return V.busiestTrace(); }, Options.Top);
  return watch(Options, C, P);
}

int runAttach(const AttachOptions &Options) {
  FindingSet Findings = readFindings(Options.Findings, Options.Output.SourceRoot);
  RunningProcess P(Options.Pid);
  std::string Probe = requireProbe(AttachProbeName);
  prepareReporting(Options, "the program was not watched");
  Verification V(std::move(Findings), P.userModules());
  V.wantNotes(Options.wantsNotes());
  V.setSuppressions(suppressionsOf(Options));
  {
    Channel C(V.prepareToAttach(P.user(), P.group()), P.user(), P.group());
    enterProcess(P, Probe, V.configFile());
    awaitProbe(C, P);
    sayHowItEnded(watchAndShow(Options, C, P, V), P);
  }
  V.judge();
  report(Options, V);
  return failsOn(Options.FailOn, V.findings()) ? int(ExitFindings) : int(ExitClean);
}

/// The name of a program is no process: there may be several of it.
std::string requireNumber(const std::string &Pid) {
  bool IsNumber = !Pid.empty() && Pid.find_first_not_of("0123456789") == Pid.npos;
  return IsNumber ? ""
                  : "'" + Pid + "' is not the number of a process; 'pgrep -a " + Pid +
                        "' prints those of a program";
}

} // namespace

void addAttachCommand(Application &App, int &Exit) {
  auto Options = std::make_shared<AttachOptions>();
  CLI::App *Command = App.add_subcommand(
      "attach", "Watch a program that runs already, for a while, and say what grows in it");
  Command->add_option("PID", Options->Pid, "The process; it runs on as before")
      ->required()
      ->check(requireNumber);
  Command
      ->add_option("--for", Options->Seconds,
                   "How long, in seconds or as 5m or 1h; a minute if not given")
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}))
      ->check(CLI::PositiveNumber);
  addFindingsOptions(*Command, Options->Findings);
  addTopOption(*Command, Options->Top);
  addReportingOptions(*Command, *Options);
  Command->footer("Memory that was taken before is not counted. Exit code 2: it cannot be watched, "
                  "and was not touched.\n'tensorleak doctor' says whether this works here.\n\n" +
                  formatHelp());
  bindCommand(*Command, Exit, Options, runAttach);
}

} // namespace tensorleak
