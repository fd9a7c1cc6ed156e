//===-- Check.cpp - tensorleak check --------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks sources and prints what the rules say.
//
//===----------------------------------------------------------------------===//
#include "CheckNotes.h"
#include "Output.h"
#include "RulePages.h"
#include "checks/driver/Fixes.h"
#include "checks/driver/Project.h"
#include "ci/Gate.h"
#include "ci/Shards.h"
#include "findings/files/Printable.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <unistd.h>

namespace tensorleak {
namespace {

struct CheckOptions {
  CheckRequest Request;
  OutputOptions Output;
  GateOptions Gate;
  std::string Level{toString(Level::Warning)};
  std::string Color = "auto";
  std::string Shard; ///< "2/8"
  bool IsMerge = false;
  bool NoCache = false;
  bool Quiet = false;
  bool IsOfRun = false; ///< who reads the file is no user, and it is gone afterwards
  bool Stats = false;
  bool Fix = false;
};

constexpr TerminalCode ClearLine{"\r\033[K"};

/// One line on the terminal, overwritten by the next.
void showProgress(size_t Number, size_t Total, const std::string &File) {
  if (Total > 1)
    std::cerr << ClearLine << "[" << Number << '/' << Total << "] " << File << std::flush;
}

void clearProgress() { std::cerr << ClearLine << std::flush; }

/// "1 error and 2 warnings and 3 notes", without what there is none of.
std::string countedByLevel(const std::vector<Finding> &Findings) {
  size_t Errors = 0, Warnings = 0, Notes = 0;
  for (const Finding &F : Findings) {
    bool Warns = F.TheLevel == Level::Warning;
    Errors += F.AsError && !F.Suppressed;
    Warnings += !F.AsError && Warns && !F.Suppressed;
    Notes += !F.AsError && !Warns && !F.Suppressed;
  }
  std::string Out;
  auto Add = [&Out](size_t Count, std::string_view What) {
    if (Count)
      Out += (Out.empty() ? "" : " and ") + counted(Count, What);
  };
  Add(Errors, "error");
  Add(Warnings, toString(Level::Warning));
  Add(Notes, toString(Level::Note));
  return Out.empty() ? "no findings" : Out;
}

/// Silence is no clean bill where notes were not asked for.
std::string heldBack(size_t Notes) {
  if (!Notes)
    return "";
  return "; " + counted(Notes, "note") + " held back (--level note shows " +
         (Notes == 1 ? "it)" : "them)");
}

std::string summary(const CheckReport &Report, const Gate &TheGate, size_t NotesHeldBack,
                    double Seconds) {
  const std::vector<Finding> &Findings = Report.Set.Findings;
  std::set<std::string> Files;
  for (const Finding &F : Findings)
    if (!F.Suppressed)
      Files.insert(F.Where.File);
  std::string Out = NotesHeldBack && Files.empty() ? "no warnings" : countedByLevel(Findings);
  if (!Files.empty())
    Out += " in " + counted(Files.size(), "file");
  Out += heldBack(NotesHeldBack) + TheGate.summary();
  char Time[32];
  std::snprintf(Time, sizeof(Time), "%.1f s", Seconds);
  return Out + "; " + counted(Report.Files, "file") + " checked in " + Time;
}

void writeReport(const CheckOptions &Options, const FindingSet &Set) {
  const OutputOptions &Output = Options.Output;
  constexpr int NoTerminal = -1;
  ReportContext Context = contextFor(Output.File.empty() ? STDOUT_FILENO : NoTerminal, "");
  Context.Color = Options.Color == "auto" ? Context.Color : Options.Color == "always";
  Context.Sarif = sarifContext(Output);
  auto Report = formatNamed(formatOf(Output)).Make(Set, Context);
  if (Output.File.empty())
    Report->write(std::cout);
  else
    writeFile(*Report, Output.File);
}

void printToPeople(const CheckOptions &Options, const CheckReport &Report, const Gate &TheGate,
                   size_t NotesHeldBack, double Seconds) {
  for (const std::string &Notification : Report.Set.Notifications)
    std::cerr << "tensorleak: incomplete: " << Notification << '\n';
  sayWhoseHeaders(Report);
  if (!Options.Quiet && !Report.CacheTrouble.empty())
    std::cerr << "tensorleak: the next check will take as long as this one: the cache "
              << Report.CacheTrouble << '\n';
  if (!Options.Quiet)
    printCutFunctions(Report);
  if (Options.Stats)
    printStats(Report);
  if (std::string Stale = TheGate.staleSentence(); !Stale.empty() && !Options.Quiet)
    std::cerr << "tensorleak: " << Stale << '\n';
  if (!Options.Quiet)
    std::cerr << summary(Report, TheGate, NotesHeldBack, Seconds) << '\n';
}

/// What `explain` prints goes with the findings.
void addPages(FindingSet &Set) {
  for (const RulePage &Page : rulePages())
    for (RuleInfo &Rule : Set.Rules)
      if (Rule.Id == Page.Name) {
        Rule.Description = descriptionOf(Page);
        Rule.Help = Page.Text;
      }
}

/// Notes are held back unless they were asked for. Returns how many count.
size_t keepLevel(FindingSet &Set, Level Lowest) {
  std::vector<Finding> &All = Set.Findings;
  for (Finding &F : All)
    F.IsShown &= F.TheLevel < Lowest;
  auto Below = std::stable_partition(All.begin(), All.end(), [Lowest](const Finding &F) {
    return F.TheLevel >= Lowest || F.IsShown;
  });
  auto Count = std::count_if(Below, All.end(), [](const Finding &F) { return !F.Suppressed; });
  Set.HeldBack.assign(std::make_move_iterator(Below), std::make_move_iterator(All.end()));
  All.erase(Below, All.end());
  return static_cast<size_t>(Count);
}

int exitCode(const CheckOptions &Options, const CheckReport &Report) {
  if (Report.Incomplete)
    return ExitIncomplete;
  return fails(Options.Gate, Report.Set) ? ExitFindings : ExitClean;
}

/// What is set aside stays as it is in the source.
std::vector<Finding> findingsToFix(const CheckReport &Report) {
  std::vector<Finding> Out;
  for (const Finding &F : Report.Set.Findings)
    if (!F.Suppressed)
      Out.push_back(F);
  return Out;
}

/// Whether what is not found is not there.
bool seesAll(const CheckOptions &Options, const CheckReport &Report) {
  const CheckRequest &Request = Options.Request;
  return Request.Paths.empty() && !Request.Flags && Request.Checks.empty() && !Report.Incomplete;
}

/// After a crash some of LLVM's locks are never opened again, and its destructors
/// would wait for them.
[[noreturn]] void exitAtOnce(int Code) {
  std::cout.flush();
  std::cerr.flush();
  std::_Exit(Code);
}

/// What is fixed is no finding any more.
void fix(const CheckOptions &Options, CheckReport &Report) {
  std::vector<Finding> Findings = findingsToFix(Report);
  FixReport Fixes = applyFixes(Findings);
  const std::string Done =
      counted(Fixes.Fixed, "finding") + " fixed in " + counted(Fixes.Files.size(), "file");
  if (!Options.Quiet)
    std::cerr << (Fixes.Fixed ? Done : "nothing was changed: there is no fix-it for this") << '\n';
  if (Fixes.Skipped)
    std::cerr << "tensorleak: " << counted(Fixes.Skipped, "fix")
              << (Fixes.Skipped == 1 ? " overlaps another" : "es overlap others")
              << "; run the command again\n";
  if (Fixes.Fixed == Findings.size())
    Report.Set.Findings.clear();
}

/// What people who work on tensorleak ask for in the place of findings.
int printDump(const CheckReport &Report) {
  std::cout << Report.Dump;
  for (const std::string &Notification : Report.Set.Notifications)
    std::cerr << "tensorleak: incomplete: " << Notification << '\n';
  int Code = Report.Incomplete ? ExitIncomplete : ExitClean;
  if (Report.Crashed)
    exitAtOnce(Code);
  return Code;
}

CheckRequest requestOf(const CheckOptions &Options) {
  CheckRequest Request = Options.Request;
  Request.UseCache = !Options.NoCache;
  Request.Notice = [](const std::string &Sentence) {
    std::cerr << "tensorleak: " << Sentence << '\n';
  };
  askForPart(Options.Shard, Options.Output.File, Request);
  return Request;
}

/// What a part finds is not all, and may change when the others are known: 'merge' reports it.
int finishPart(const CheckOptions &Options, const CheckReport &Report) {
  for (const std::string &Notification : Report.Set.Notifications)
    std::cerr << "tensorleak: incomplete: " << Notification << '\n';
  if (!Options.Quiet)
    std::cerr << Report.Analysed << " of " << counted(Report.Files, "file") << " analysed; '"
              << Options.Output.File << "' is for 'tensorleak merge'\n";
  if (Report.Crashed)
    exitAtOnce(ExitIncomplete);
  return Report.Incomplete ? ExitIncomplete : ExitClean;
}

/// Where machines share the work, that there was any left is of interest.
void sayWhatWasLeft(const CheckOptions &Options, const CheckReport &Report) {
  if (Options.IsMerge && !Options.Quiet)
    std::cerr << "tensorleak: " << Report.Analysed << " of " << counted(Report.Files, "file")
              << " analysed here; the others were known\n";
}

int runCheck(const CheckOptions &Options) {
  requireWritable(Options.Output.File, "give another file with -o");
  Gate TheGate(Options.Gate, sarifContext(Options.Output).SourceRoot);
  CheckRequest Request = requestOf(Options);
  bool Progress = !Options.Quiet && isatty(STDERR_FILENO);
  if (Progress)
    Request.Progress = showProgress;
  auto Start = std::chrono::steady_clock::now();
  CheckReport Report = checkProject(Request);
  std::chrono::duration<double> Elapsed = std::chrono::steady_clock::now() - Start;
  if (Progress)
    clearProgress();
  if (Options.Request.Dump.isWanted())
    return printDump(Report);
  if (Request.Part)
    return finishPart(Options, Report);
  sayWhatWasLeft(Options, Report);
  addPages(Report.Set);
  TheGate.apply(Report.Set, seesAll(Options, Report));
  Level Lowest = lowestLevel(Options.Gate, *levelFromString(Options.Level));
  size_t NotesHeldBack = keepLevel(Report.Set, Lowest);
  writeReport(Options, Report.Set);
  printToPeople(Options, Report, TheGate, NotesHeldBack, Elapsed.count());
  if (!Options.Quiet && !Options.IsOfRun && !Options.Output.File.empty())
    sayWhere("the findings are", Options.Output.File);
  if (Options.Fix)
    fix(Options, Report);
  if (Report.Crashed)
    exitAtOnce(exitCode(Options, Report));
  return exitCode(Options, Report);
}

void addOutputOptions(CLI::App &Command, CheckOptions &Options) {
  addFormatOption(Command, Options.Output.Format, "the findings");
  Command.add_option("-o,--output", Options.Output.File,
                     "Write the findings to this file; as SARIF if its name ends in .sarif");
  addLevelOption(Command, Options.Level, "The lowest level that is reported (default: warning)");
  Command
      .add_option("--color", Options.Color,
                  "auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  addGateOptions(Command, Options.Gate);
  addSarifOptions(Command, Options.Output);
  Command.add_flag("--fix", Options.Fix, "Write the fix-its into the sources");
  Command.add_flag("-q,--quiet", Options.Quiet, "Print the findings only");
  Command.add_flag("--of-run", Options.IsOfRun)->group("");
  Command.add_flag("--stats", Options.Stats, "Say what was analysed and what was skipped");
}

/// For people who work on tensorleak: docs/internals.md shows how to read what they print.
void addDumpOptions(CLI::App &Command, DumpRequest &Request) {
  const char *Group = "What the analyses know (printed instead of findings)";
  Command.add_flag("--dump-facts", Request.Facts, "Print what each function does, event by event")
      ->group(Group);
  Command.add_flag("--dump-flow", Request.Flow, "Print what was inferred from it")->group(Group);
  Command.add_option("--dump-filter", Request.Filter, "Only functions whose name contains this")
      ->group(Group);
}

constexpr const char *ExitCodeHelp =
    "Exit codes: 0 nothing found at the level of --fail-level, 1 something found, 2 wrong use\n"
    "or configuration, 3 not all sources could be analysed.\n\n";

void addInputOptions(CLI::App &Command, CheckOptions &Options) {
  CheckRequest &Request = Options.Request;
  Command.add_option("-p,--build", Request.BuildDirectory,
                     "The folder of compile_commands.json (default: searched for)");
  Command.add_option("--checks", Request.Checks,
                     "Rules to run, as in clang-tidy: '-*,tensor-graph-*'");
  Command.add_option("--min-bytes", Request.MinBytes,
                     "The size of a tensor, where it is known, below which the rules about the "
                     "peak say nothing");
  Command.add_option("--cuda-path", Request.CudaPath,
                     "The folder of a CUDA toolkit, or 'none' (default: searched for)");
  Command.add_option("-j,--jobs", Request.Jobs,
                     "How many files are checked at once (default: one per core)");
  Command.add_flag("--no-cache", Options.NoCache,
                   "Neither use nor write what is kept between runs: precompiled headers, the "
                   "results of unchanged files, and what earlier checks know of files that are "
                   "not checked now");
}

} // namespace

void addMergeCommand(Application &App, int &Exit) {
  CLI::App *Command =
      App.add_subcommand("merge", "Join what the shards of a check found into one report");
  auto Options = std::make_shared<CheckOptions>();
  Options->IsMerge = true;
  Command
      ->add_option("RESULTS", Options->Request.Known,
                   "The files that 'tensorleak check --shard' wrote, with the same options")
      ->required();
  addInputOptions(*Command, *Options);
  addOutputOptions(*Command, *Options);
  Command->footer(ExitCodeHelp + formatHelp());
  bindCommand(*Command, Exit, Options, runCheck);
}

void addCheckCommand(Application &App, int &Exit) {
  CLI::App *Command = App.add_subcommand("check", "Find leaks in sources, without running them");
  auto Options = std::make_shared<CheckOptions>();
  Command->add_option("path", Options->Request.Paths,
                      "Files or folders (default: all that compile_commands.json lists)");
  addInputOptions(*Command, *Options);
  addOutputOptions(*Command, *Options);
  addShardOptions(*Command, Options->Shard, Options->Request.Known);
  addDumpOptions(*Command, Options->Request.Dump);
  Command->parse_complete_callback([&App, Options] { Options->Request.Flags = App.AfterDashes; });
  Command->footer(ExitCodeHelp + formatHelp());
  Command->formatter(std::make_shared<UsageWith>(" [-- COMPILER FLAGS...]"));
  bindCommand(*Command, Exit, Options, runCheck);
}

} // namespace tensorleak
