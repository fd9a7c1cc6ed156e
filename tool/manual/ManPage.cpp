//===-- ManPage.cpp - The man page ----------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "manual/Manual.h"

#include <ostream>

namespace tensorleak {
namespace {

/// What groff takes as text: no escapes, and no line that begins as a request does.
std::string text(const std::string &Source) {
  std::string Out;
  for (char C : Source) {
    bool AtStart = Out.empty() || Out.back() == '\n';
    if (AtStart && (C == '.' || C == '\''))
      Out += "\\&";
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else
      Out += C;
  }
  return Out;
}

/// "-o, --output FILE": as the help spells it.
std::string headOf(const CLI::Option &Option) {
  std::string Out = Option.get_name(/*positional=*/false, /*all_options=*/true);
  for (size_t At = 0; (At = Out.find(',', At)) != Out.npos; At += 2)
    Out.insert(At + 1, " ");
  return Out;
}

void printOption(std::ostream &Out, const CLI::Option &Option) {
  Out << ".TP\n.B " << text(headOf(Option)) << '\n' << text(Option.get_description());
  std::string Members;
  for (const std::string &Choice : choicesOf(Option))
    Members += (Members.empty() ? "" : ", ") + Choice;
  Out << (Members.empty() ? "" : "\n(" + text(Members) + ")") << '\n';
}

void printCommand(std::ostream &Out, const std::string &Name, const CLI::App &Command) {
  Out << ".SS tensorleak " << text(Name) << '\n' << text(Command.get_description()) << '\n';
  for (const CLI::Option *Option :
       Command.get_options([](const CLI::Option *O) { return !O->get_description().empty(); }))
    if (Option->nonpositional() || Option->get_positional())
      printOption(Out, *Option);
  if (!Command.get_footer().empty())
    Out << ".PP\n.nf\n" << text(Command.get_footer()) << "\n.fi\n";
}

} // namespace

void printManPage(std::ostream &Out, const CLI::App &App) {
  Out << ".TH TENSORLEAK 1 \"\" \"tensorleak " TENSORLEAK_VERSION "\" \"User Commands\"\n"
      << ".SH NAME\ntensorleak \\- finds the tensors that a program keeps and should not\n"
      << ".SH SYNOPSIS\n";
  const char *Break = "";
  for (const auto &[Name, Command] : commandsOf(App)) {
    Out << Break << ".B tensorleak " << text(Name) << "\n[OPTIONS]\n";
    Break = ".br\n";
  }
  Out << ".SH DESCRIPTION\n" << text(App.get_description()) << "\n.SH COMMANDS\n";
  for (const auto &[Name, Command] : commandsOf(App))
    printCommand(Out, Name, *Command);
  Out << ".SH EXIT STATUS\n" << text(App.get_footer()) << '\n';
}

} // namespace tensorleak
