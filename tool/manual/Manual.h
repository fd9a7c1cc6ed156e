//===-- Manual.h - What the options say, for other programs ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_MANUAL_MANUAL_H
#define TENSORLEAK_TOOL_MANUAL_MANUAL_H

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>
#include <vector>

namespace tensorleak {

/// The commands that are shown, with those below them: "baseline create".
std::vector<std::pair<std::string, const CLI::App *>> commandsOf(const CLI::App &App);

/// In a loop of a shell over words, within `case "${command:+$command }$word" in`: adds the word
/// to the command that they name so far. Ends with the head of a case over that command.
std::string casesOfCommand(const CLI::App &App);

/// Those with a name that begins with a dash.
std::vector<const CLI::Option *> namedOptions(const CLI::App &Command);

/// What an option may be given; empty where it is anything.
std::vector<std::string> choicesOf(const CLI::Option &Option);

void printBashCompletion(std::ostream &Out, const CLI::App &App);
void printFishCompletion(std::ostream &Out, const CLI::App &App);
void printZshCompletion(std::ostream &Out, const CLI::App &App);
/// The page tensorleak(1), for groff.
void printManPage(std::ostream &Out, const CLI::App &App);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_MANUAL_MANUAL_H
