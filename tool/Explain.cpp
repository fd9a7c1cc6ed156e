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

/// What only a run finds: no check looks for it, and no page of docs/rules speaks of it.
const std::vector<RulePage> &pagesOfRuns() {
  static const std::vector<RulePage> Pages = {
      {rules::ObservedGrowth, "a run saw memory grow that no finding speaks of",
       "# tensor-observed-growth\n\n"
       "`tensorleak run` saw memory from this line grow with the steps, and no finding speaks of "
       "it.\n"
       "It is as true as a confirmed finding: the bytes were measured. What keeps the memory "
       "stands\n"
       "below it as 'kept by', where it could be found. It counts for `--fail-on confirmed`; what "
       "is\n"
       "meant to stay can be set aside with `tensorleak_expect_retained()` or `--suppressions`.\n"},
      {rules::ObservedUnfreed, "a run saw something taken from CUDA and never given back",
       "# tensor-observed-unfreed\n\n"
       "`tensorleak run` saw this line take something from CUDA that was alive when `main` had\n"
       "returned. It is a note without a verdict: what is taken once costs nothing more, and "
       "the\n"
       "driver takes it back. Where there is more of it in every round it is "
       "tensor-observed-growth.\n"}};
  return Pages;
}

/// The page of \p Rule, or the only one whose name has \p Rule in it.
const RulePage &findPage(const std::string &Rule) {
  std::vector<const RulePage *> Like;
  for (const std::vector<RulePage> *Pages : {&rulePages(), &pagesOfRuns()})
    for (const RulePage &Page : *Pages) {
      if (Page.Name == Rule || Page.Name == RulePrefix + Rule)
        return Page;
      if (std::string_view(Page.Name).find(Rule) != std::string_view::npos)
        Like.push_back(&Page);
    }
  if (Like.size() == 1)
    return *Like.front();
  throw UsageError("there is no rule '" + Rule + "'; the rules are " + knownRules());
}

int runExplain(const ExplainOptions &Options) {
  if (!Options.Rule.empty()) {
    std::cout << findPage(Options.Rule).Text;
    return ExitClean;
  }
  for (const std::vector<RulePage> *Pages : {&rulePages(), &pagesOfRuns()})
    for (const RulePage &Page : *Pages)
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
