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

#include <algorithm>
#include <iostream>
#include <string_view>

using namespace tensorleak;

static void addCommands(Application &App, int &Exit) {
#define TENSORLEAK_COMMAND(Name) add##Name##Command(App, Exit);
#include "Commands.def"
#undef TENSORLEAK_COMMAND
}

static int parse(Application &App, int argc, char **argv) {
  char **End = argv + argc, **Dashes = std::find(argv, End, std::string_view("--"));
  if (Dashes != End)
    App.AfterDashes.emplace(Dashes + 1, End);
  try {
    App.parse(static_cast<int>(Dashes - argv), argv);
  } catch (const CLI::Success &E) { // --help, --version
    App.exit(E);
  } catch (const CLI::ParseError &E) {
    std::cerr << "tensorleak: error: " << E.what() << "; see 'tensorleak --help'\n";
    return ExitUsage;
  }
  return ExitClean;
}

int main(int argc, char **argv) {
  Application App("Finds the tensors that LibTorch and CUDA C++ programs keep and should not, "
                  "and proves it by running them.",
                  "tensorleak");
  App.set_version_flag("--version", "tensorleak " TENSORLEAK_VERSION);
  App.require_subcommand(1);
  App.footer("Exit codes: 0 clean, 1 findings at or above the level asked for, 2 wrong use or\n"
             "configuration, 3 analysis incomplete. `run` keeps the program's own exit code\n"
             "unless --fail-on is given.");
  int Exit = ExitClean;
  addCommands(App, Exit);
  try {
    int Parsed = parse(App, argc, argv);
    return Parsed ? Parsed : Exit;
  } catch (const std::exception &E) {
    std::cerr << "tensorleak: error: " << E.what() << '\n';
    return ExitUsage;
  }
}
