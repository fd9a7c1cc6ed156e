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
#include "Command.h"
#include "Installation.h"
#include "Launch.h"
#include "Target.h"

namespace tensorleak {
namespace {

struct RunOptions {
  std::vector<std::string> Program;
};

std::string requireProbe() {
  if (auto Probe = findLibrary(TorchProbeName))
    return Probe->string();
  throw UsageError(std::string("the probe ") + TorchProbeName +
                   " is missing; 'tensorleak doctor' says where it was looked for");
}

int runRun(const RunOptions &Options) {
  if (Options.Program.empty())
    throw UsageError("no program given; write 'tensorleak run [options] -- PROGRAM ARGS'");
  Launch L;
  L.Program = resolveProgram(Options.Program.front());
  L.Arguments = Options.Program;
  L.Preload = requireProbe();
  return launch(L).ExitCode;
}

} // namespace

void addRunCommand(Application &App, int &Exit) {
  auto Options = std::make_shared<RunOptions>();
  CLI::App *Command = App.add_subcommand(
      "run", "Run a program and say of each finding whether it is true: confirmed, refuted, "
             "not reached or inconclusive");
  Command->add_option("program", Options->Program, "The program and its arguments, after --");
  Command->parse_complete_callback([&App, Options] {
    if (App.AfterDashes)
      Options->Program = *App.AfterDashes;
  });
  bindCommand(*Command, Exit, Options, runRun);
}

} // namespace tensorleak
