//===-- ZshCompletion.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "manual/Manual.h"

#include <ostream>

namespace tensorleak {
namespace {

/// In single quotes, with a backslash before what means something in a specification.
std::string quoted(const std::string &Text, const char *Special) {
  std::string Out;
  for (char C : Text)
    if (C == '\'')
      Out += "'\\''";
    else
      Out += std::string(Special).find(C) == std::string::npos ? std::string(1, C)
                                                               : std::string("\\") + C;
  return Out;
}

std::string valueOf(const CLI::Option &Option) {
  if (Option.get_expected_max() == 0)
    return "";
  std::string Choices;
  for (const std::string &Choice : choicesOf(Option))
    Choices += (Choices.empty() ? "" : " ") + Choice;
  return Choices.empty() ? ":value:_files" : ":value:(" + Choices + ")";
}

/// '*--known[What it is]:value:_files', for _arguments.
void printSpecifications(std::ostream &Out, const CLI::Option &Option) {
  std::vector<std::string> Names;
  for (const std::string &Long : Option.get_lnames())
    Names.push_back("--" + Long);
  for (const std::string &Short : Option.get_snames())
    Names.push_back("-" + Short);
  bool Repeats = Option.get_expected_max() > 1;
  for (const std::string &Name : Names)
    Out << " \\\n        '" << (Repeats ? "*" : "") << Name << '['
        << quoted(Option.get_description(), "[]:\\") << ']' << valueOf(Option) << '\'';
}

/// The commands directly below \p Above, as _describe takes them.
void printCommands(std::ostream &Out, const CLI::App &Above) {
  Out << "      commands=(";
  for (const auto &[Name, Command] : commandsOf(Above))
    if (Name.find(' ') == Name.npos)
      Out << "\n        '" << Name << ':' << quoted(Command->get_description(), ":\\") << '\'';
  Out << ")\n      _describe command commands\n";
}

void printCase(std::ostream &Out, const std::string &Name, const CLI::App &Command) {
  Out << "    '" << Name << "')\n";
  if (!commandsOf(Command).empty())
    printCommands(Out, Command);
  Out << "      _arguments -s";
  for (const CLI::Option *Option : namedOptions(Command))
    printSpecifications(Out, *Option);
  Out << (commandsOf(Command).empty() ? " '*:file:_files'" : "") << " ;;\n";
}

} // namespace

/// After -- another program's words follow.
void printZshCompletion(std::ostream &Out, const CLI::App &App) {
  Out << "#compdef tensorleak\n# Made by 'tensorleak manual zsh'.\n"
         "_tensorleak() {\n"
         "  local word command='' place\n"
         "  local -a commands\n"
         "  for (( place = 2; place < CURRENT; ++place )); do\n"
         "    word=$words[place]\n"
         "    if [[ $word == -- ]]; then\n"
         "      words=(\"${(@)words[place+1,-1]}\")\n"
         "      (( CURRENT -= place ))\n"
         "      _normal\n"
         "      return\n"
         "    fi\n"
         "    case \"${command:+$command }$word\" in\n      "
      << casesOfCommand(App);
  printCase(Out, "", App);
  for (const auto &[Name, Command] : commandsOf(App))
    printCase(Out, Name, *Command);
  Out << "  esac\n}\n_tensorleak \"$@\"\n";
}

} // namespace tensorleak
