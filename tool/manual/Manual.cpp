//===-- Manual.cpp - tensorleak manual ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The build runs this command for what is installed: completion for shells and a man page, made
// from the options themselves.
//
//===----------------------------------------------------------------------===//
#include "manual/Manual.h"
#include "Command.h"

#include <algorithm>
#include <iostream>
#include <sstream>

namespace tensorleak {
namespace {

struct ManualOptions {
  const CLI::App *App = nullptr;
  std::string What;
};

int runManual(const ManualOptions &Options) {
  if (Options.What == "bash")
    printBashCompletion(std::cout, *Options.App);
  else if (Options.What == "zsh")
    printZshCompletion(std::cout, *Options.App);
  else if (Options.What == "fish")
    printFishCompletion(std::cout, *Options.App);
  else
    printManPage(std::cout, *Options.App);
  return ExitClean;
}

bool isShown(const CLI::App &Command) { return !Command.get_group().empty(); }

} // namespace

std::vector<std::pair<std::string, const CLI::App *>> commandsOf(const CLI::App &App) {
  std::vector<std::pair<std::string, const CLI::App *>> Out;
  for (const CLI::App *Command :
       App.get_subcommands([](const CLI::App *A) { return isShown(*A); })) {
    Out.emplace_back(Command->get_name(), Command);
    for (auto &[Name, Below] : commandsOf(*Command))
      Out.emplace_back(Command->get_name() + " " + Name, Below);
  }
  return Out;
}

std::string casesOfCommand(const CLI::App &App) {
  std::string Known;
  for (const auto &[Name, Command] : commandsOf(App))
    Known += (Known.empty() ? "'" : " | '") + Name + "'";
  return Known + ") command=${command:+$command }$word ;;\n    esac\n  done\n"
                 "  case $command in\n";
}

std::vector<const CLI::Option *> namedOptions(const CLI::App &Command) {
  return Command.get_options([](const CLI::Option *O) { return O->nonpositional(); });
}

/// CLI11 tells the members of a set as "TEXT:{a,b}".
std::vector<std::string> choicesOf(const CLI::Option &Option) {
  std::string Type = Option.get_type_name();
  size_t Begin = Type.find('{'), End = Type.find('}', Begin);
  std::vector<std::string> Out;
  if (Begin == Type.npos || End == Type.npos)
    return Out;
  std::istringstream Members(Type.substr(Begin + 1, End - Begin - 1));
  for (std::string Member; std::getline(Members, Member, ',');)
    Out.push_back(Member);
  return Out;
}

void addManualCommand(Application &App, int &Exit) {
  auto Options = std::make_shared<ManualOptions>();
  Options->App = &App;
  CLI::App *Command = App.add_subcommand("manual", "Print the man page, or completion for a shell");
  Command->group(""); // for the build, not for people
  Command->add_option("what", Options->What, "bash, fish, man or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "man", "zsh"}));
  bindCommand(*Command, Exit, Options, runManual);
}

} // namespace tensorleak
