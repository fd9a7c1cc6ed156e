//===-- Explain.cpp - tensorleak explain -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a rule's page, which is built into the program.
//
//===----------------------------------------------------------------------===//
#include "Command.h"
#include "RulePages.h"
#include "findings/RuleNames.h"

#include <algorithm>
#include <iostream>

namespace tensorleak {
namespace {

struct ExplainOptions {
  std::string Rule;
};

std::string knownRules() {
  std::string Out;
  for (const RulePage &Page : rulePages())
    Out += (Out.empty() ? "" : ", ") + std::string(Page.Name);
  return Out;
}

const RulePage &findPage(const std::string &Rule) {
  for (const RulePage &Page : rulePages())
    if (Page.Name == Rule || Page.Name == RulePrefix + Rule)
      return Page;
  throw UsageError("there is no rule '" + Rule + "'; the rules are " + knownRules());
}

int runExplain(const ExplainOptions &Options) {
  if (!Options.Rule.empty()) {
    std::cout << findPage(Options.Rule).Text;
    return ExitClean;
  }
  for (const RulePage &Page : rulePages())
    std::cout << Page.Name << "\n    " << Page.Summary << '\n';
  return ExitClean;
}

} // namespace

std::string descriptionOf(const RulePage &Page) {
  constexpr std::string_view Blank = "\n\n";
  std::string_view Text = Page.Text;
  size_t Begin = Text.find(Blank) + Blank.size();
  std::string Paragraph(Text.substr(Begin, Text.find(Blank, Begin) - Begin));
  std::replace(Paragraph.begin(), Paragraph.end(), '\n', ' ');
  return Paragraph;
}

void addExplainCommand(Application &App, int &Exit) {
  CLI::App *Command = App.add_subcommand("explain", "Say what a rule finds, and why it matters");
  auto Options = std::make_shared<ExplainOptions>();
  Command->add_option("rule", Options->Rule, "A rule's name; without it, all rules are listed");
  bindCommand(*Command, Exit, Options, runExplain);
}

} // namespace tensorleak
