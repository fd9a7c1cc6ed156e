//===-- Completion.cpp - Completion for shells ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "manual/Manual.h"

#include <ostream>

namespace tensorleak {
namespace {

std::string joined(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &Word : Words)
    Out += (Out.empty() ? "" : " ") + Word;
  return Out;
}

std::string spellings(const CLI::Option &Option) {
  std::string Out;
  for (const std::string &Name : Option.get_lnames())
    Out += (Out.empty() ? "--" : " --") + Name;
  for (const std::string &Name : Option.get_snames())
    Out += (Out.empty() ? "-" : " -") + Name;
  return Out;
}

/// The options of a command, and the commands below it.
std::string wordsOf(const CLI::App &Command) {
  std::string Out;
  for (const CLI::Option *Option : namedOptions(Command))
    Out += (Out.empty() ? "" : " ") + spellings(*Option);
  for (const auto &[Name, Below] : commandsOf(Command))
    if (Name.find(' ') == Name.npos)
      Out += " " + Name;
  return Out;
}

/// Cases for the word before the one that is completed.
void printChoices(std::ostream &Out, const std::string &Name, const CLI::App &Command) {
  for (const CLI::Option *Option : namedOptions(Command))
    if (std::vector<std::string> Choices = choicesOf(*Option); !Choices.empty())
      for (const std::string &Long : Option->get_lnames())
        Out << "    '" << Name << " --" << Long << "') words='" << joined(Choices) << "' ;;\n";
}

std::string quoted(const std::string &Text) {
  std::string Out;
  for (char C : Text)
    Out += C == '\'' || C == '\\' ? std::string("\\") + C : std::string(1, C);
  return "'" + Out + "'";
}

void printFishOption(std::ostream &Out, const std::string &Condition, const CLI::Option &Option) {
  Out << "complete -c tensorleak " << Condition;
  for (const std::string &Long : Option.get_lnames())
    Out << " -l " << Long;
  for (const std::string &Short : Option.get_snames())
    Out << " -s " << Short;
  if (std::vector<std::string> Choices = choicesOf(Option); !Choices.empty())
    Out << " -x -a '" << joined(Choices) << "'";
  else if (Option.get_expected_max() > 0)
    Out << " -r";
  Out << " -d " << quoted(Option.get_description()) << '\n';
}

} // namespace

/// After -- another program's words follow; what is no option may be a file.
void printBashCompletion(std::ostream &Out, const CLI::App &App) {
  Out << "# Made by 'tensorleak manual bash'.\n"
         "_tensorleak() {\n"
         "  local word command='' words='' current=${COMP_WORDS[COMP_CWORD]}\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in --) return ;; -*) continue ;; esac\n"
         "    case \"${command:+$command }$word\" in\n      "
      << casesOfCommand(App) << "    '') words='" << wordsOf(App) << "' ;;\n";
  for (const auto &[Name, Command] : commandsOf(App))
    Out << "    '" << Name << "') words='" << wordsOf(*Command) << "' ;;\n";
  Out << "  esac\n  case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n";
  for (const auto &[Name, Command] : commandsOf(App))
    printChoices(Out, Name, *Command);
  Out << "    *) [[ $current == -* || -z $command || $command == baseline ]] || words='' ;;\n"
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _tensorleak tensorleak\n";
}

void printFishCompletion(std::ostream &Out, const CLI::App &App) {
  Out << "# Made by 'tensorleak manual fish'.\n";
  for (const auto &[Name, Command] : commandsOf(App)) {
    size_t Space = Name.find(' ');
    std::string Last = Name.substr(Space == Name.npos ? 0 : Space + 1);
    Out << "complete -c tensorleak -n "
        << (Space == Name.npos ? "__fish_use_subcommand"
                               : "'__fish_seen_subcommand_from " + Name.substr(0, Space) + "'")
        << " -a " << Last << " -d " << quoted(Command->get_description()) << '\n';
    for (const CLI::Option *Option : namedOptions(*Command))
      printFishOption(Out, "-n '__fish_seen_subcommand_from " + Last + "'", *Option);
  }
}

} // namespace tensorleak
