//===-- Main.cpp - The tensorleak command ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the command line, hands over to one subcommand, and turns what goes
// wrong into one sentence and the documented exit code.
//
//===----------------------------------------------------------------------===//
#include "Command.h"
#include "findings/files/Printable.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tensorleak;

static void addCommands(Application &App, int &Exit) {
#define TENSORLEAK_COMMAND(Name) add##Name##Command(App, Exit);
#include "Commands.def"
#undef TENSORLEAK_COMMAND
}

/// How many characters to insert, drop or exchange, from one to the other.
static size_t editDistance(std::string_view From, std::string_view To) {
  std::vector<size_t> Row(To.size() + 1);
  std::iota(Row.begin(), Row.end(), size_t(0));
  for (size_t I = 0; I < From.size(); ++I) {
    size_t Diagonal = std::exchange(Row[0], I + 1);
    for (size_t J = 0; J < To.size(); ++J) {
      size_t Exchanged = Diagonal + (From[I] != To[J]);
      Diagonal = Row[J + 1];
      Row[J + 1] = std::min({Exchanged, Row[J] + 1, Row[J + 1] + 1});
    }
  }
  return Row.back();
}

/// "check, run, report"; those of `tensorleak cache` are "show, clear".
static std::string namesOfCommands(const CLI::App &Above) {
  std::string All;
  for (const CLI::App *Command : Above.get_subcommands({}))
    if (!Command->get_group().empty()) // is for people
      All += (All.empty() ? "" : ", ") + Command->get_name();
  return All;
}

/// A mistyped command is named, with the one that it is closest to.
static const CLI::App &commandNamed(const CLI::App &Above, std::string_view Name) {
  constexpr size_t MostTypos = 2;
  std::string Meant;
  for (const CLI::App *Command : Above.get_subcommands({})) {
    const std::string &Known = Command->get_name();
    if (Known == Name)
      return *Command;
    if (!Command->get_group().empty() && editDistance(Known, Name) <= MostTypos)
      Meant = "did you mean '" + Known + "'?";
  }
  throw UsageError("there is no command '" + std::string(Name) + "'; " +
                   (Meant.empty() ? "the commands are " + namesOfCommands(Above) : Meant));
}

/// The words that begin the command line name commands, as long as there are some below:
/// `tensorleak cache show`.
static void requireKnownCommands(const Application &App, char **Word, char **End) {
  const CLI::App *Above = &App;
  for (; Word < End && **Word != '-' && !Above->get_subcommands({}).empty(); ++Word)
    Above = &commandNamed(*Above, *Word);
}

/// "; did you mean '--format'?" of an option that the command does not have.
static std::string hintFor(const CLI::App &Command, std::string_view Typed) {
  constexpr size_t MostTypos = 2;
  for (const CLI::Option *Option : Command.get_options())
    for (const std::string &Name : Option->get_lnames())
      if (editDistance("--" + Name, Typed.substr(0, Typed.find('='))) <= MostTypos)
        return "; did you mean '--" + Name + "'?";
  return "";
}

/// What CLI11 says of the words after a command, or which option may be meant.
static std::string describeIn(const CLI::App &Command, const CLI::ParseError &E) {
  const std::string Name = "tensorleak" + (Command.get_parent() ? " " + Command.get_name() : "");
  const std::string Help = "; see '" + Name + " --help'";
  for (const std::string &Word : Command.remaining())
    if (std::string Hint = hintFor(Command, Word); Word.rfind("--", 0) == 0)
      return "there is no option '" + Word + "'" + (Hint.empty() ? Help : Hint);
  if (!Command.get_subcommands({}).empty() && Command.get_subcommands().empty())
    return "'" + Name + "' needs a command: " + namesOfCommands(Command) + Help;
  return E.what() + Help;
}

/// What CLI11 says, or how to fix it where that is known.
static std::string describe(const Application &App, const CLI::ParseError &E) {
  bool Extra = E.get_exit_code() == int(CLI::ExitCodes::ExtrasError);
  if (Extra && !App.AfterDashes && App.got_subcommand("run"))
    return "the program and its arguments follow '--': tensorleak run [OPTIONS] -- PROGRAM ARGS";
  for (const CLI::App *Command : App.get_subcommands())
    return describeIn(*Command, E);
  return describeIn(App, E);
}

static int parse(Application &App, int argc, char **argv) {
  char **End = argv + argc, **Dashes = std::find(argv, End, std::string_view("--"));
  if (Dashes != End)
    App.AfterDashes.emplace(Dashes + 1, End);
  requireKnownCommands(App, argv + 1, Dashes);
  try {
    App.parse(static_cast<int>(Dashes - argv), argv);
  } catch (const CLI::Success &E) { // --help, --version
    App.exit(E);
  } catch (const CLI::ParseError &E) {
    std::cerr << "tensorleak: error: " << describe(App, E) << '\n';
    return ExitUsage;
  }
  return ExitClean;
}

/// What was printed and is not there, as on a full disk, must not look like a clean end.
static int whenPrinted(int Exit) {
  if (std::cout.flush() && std::fflush(stdout) == 0)
    return Exit;
  std::cerr << "tensorleak: error: the standard output cannot be written completely; is the disk "
               "full?\n";
  return ExitIncomplete;
}

int main(int argc, char **argv) {
  PrintableStream Output(std::cout), Errors(std::cerr);
  Application App("Finds the tensors that LibTorch and CUDA C++ programs keep and should not, "
                  "and proves it by running them.",
                  "tensorleak");
  App.set_version_flag("--version", "tensorleak " TENSORLEAK_VERSION);
  App.require_subcommand(1);
  int Exit = ExitClean;
  addCommands(App, Exit);
  // A command inherits the footer that is there when it is added, and has exit codes of its own.
  App.footer("Exit codes: 0 success, 1 something was found or is worse (check: a finding at\n"
             "--fail-level, run: with --fail-on, diff), 2 wrong use or configuration,\n"
             "3 not all sources could be analysed. `run` ends with the program's own exit\n"
             "code unless --fail-on is given.");
  try {
    int Parsed = parse(App, argc, argv);
    return Parsed ? Parsed : whenPrinted(Exit);
  } catch (const std::exception &E) {
    std::cerr << "tensorleak: error: " << E.what() << '\n';
    return ExitUsage;
  }
}
