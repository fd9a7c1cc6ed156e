//===-- Output.h - In which format a command reports, and where --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_OUTPUT_H
#define TENSORLEAK_TOOL_OUTPUT_H

#include "Command.h"
#include "findings/formats/Formats.h"

namespace tensorleak {

/// What --format and -o say.
struct OutputOptions {
  std::string Format; ///< as given; see formatOf
  std::string File;
  std::string SourceRoot; ///< as given; "" for the top of the repository
  std::string Category, DocsUrl;
  bool ForEditors = false; ///< the verdicts also go to where an editor finds them
};

/// Adds --format, which takes the names of the registry of formats. \p What it is the
/// format of begins its help.
void addFormatOption(CLI::App &Command, std::string &Format, const std::string &What);

/// Adds --format to a command that prints a table: text, or JSON for scripts.
void addTableFormatOption(CLI::App &Command, std::string &Format);

/// The format that is wanted: where none was given, text, or what the file's name says.
std::string formatOf(const OutputOptions &Options);

/// Adds --level, which takes the levels of findings.
void addLevelOption(CLI::App &Command, std::string &Level, const std::string &Help);

/// Adds what only SARIF has.
void addSarifOptions(CLI::App &Command, OutputOptions &Options);

/// What the options say, with the top of the repository that the command works in, or else
/// its folder, as the root. \throws UsageError
SarifContext sarifContext(const OutputOptions &Options);

/// The formats, one per line, for the end of a command's help.
std::string formatHelp();

/// The options of those that report verdicts.
void addVerdictOptions(CLI::App &Command, OutputOptions &Options, const std::string &Terminal);

/// Where editors look for verdicts, or "" where none were asked for. Its folder is made, and
/// hidden from git. \throws UsageError
std::string editorsFile(const OutputOptions &Options);

/// Prints the verdicts, in text where a file gets them in a format for machines; writes
/// the file, if one is asked for.
void writeVerdicts(const OutputOptions &Options, const FindingSet &Set, ReportContext Context,
                   std::ostream &Terminal);

/// Says to people where it is that was written: "the findings are in 'found.sarif'".
void sayWhere(const std::string &What, const std::string &File);

/// --fail-on VERDICT.
void addFailOnOption(CLI::App &Command, std::vector<std::string> &Names);
/// Whether some finding has the verdict that --fail-on names, and is not set aside.
bool failsOn(const std::vector<std::string> &Names, const FindingSet &Set);

/// Whether what is printed to this stream is colored unless --color says otherwise: on a terminal
/// that can, without NO_COLOR (https://no-color.org).
bool showsColor(int Stream);

/// The columns of the terminal that this stream is, or 0.
unsigned terminalWidth(int Stream);

/// What a report on this stream needs, with lines on the run as a whole.
ReportContext contextFor(int Stream, std::string Summary);

/// Found out before the work, not after minutes of it; what is there survives until the new is
/// ready. Nothing is asked of "". \p Advice ends the sentence. \throws UsageError
void requireWritable(const std::string &File, const std::string &Advice);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_OUTPUT_H
