//===-- Output.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Output.h"
#include "findings/lastrun/LastRun.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

std::vector<std::string> formatNames() {
  std::vector<std::string> Names;
  for (const Format &F : allFormats())
    Names.emplace_back(F.Name);
  return Names;
}

/// The repository that a folder is in, or "". Of a worktree or a submodule .git is a file.
fs::path repositoryAround(fs::path Folder) {
  std::error_code Error;
  for (;; Folder = Folder.parent_path()) {
    if (fs::exists(Folder / ".git", Error))
      return Folder;
    if (Folder == Folder.parent_path())
      return {};
  }
}

std::string sourceRoot(const std::string &Wanted) {
  std::error_code Error;
  if (Wanted.empty()) {
    fs::path Top = repositoryAround(workingFolder());
    return Top.empty() ? workingFolder() : Top.string();
  }
  fs::path Root = fs::canonical(Wanted, Error);
  if (Error || !fs::is_directory(Root, Error))
    throw UsageError("--source-root '" + Wanted + "' is no folder; give the top of the sources");
  return Root.string();
}

/// What is not to be committed says so itself.
void makeOwnFolder(const fs::path &Folder) {
  std::error_code Error;
  fs::create_directories(Folder, Error);
  if (!fs::exists(Folder / ".gitignore", Error))
    std::ofstream(Folder / ".gitignore") << "*\n";
}

bool isForPeople(const std::string &Format) { return formatNamed(Format).ReadBy == Reader::People; }

} // namespace

void addFormatOption(CLI::App &Command, std::string &Format, const std::string &What) {
  Command.add_option("--format", Format, "The format of " + What + ", one of those listed below")
      ->check(CLI::IsMember(formatNames()));
}

void addTableFormatOption(CLI::App &Command, std::string &Format) {
  Command.add_option("--format", Format, "The format of what is printed (default: text)")
      ->check(CLI::IsMember(std::vector<std::string>{TextReport::Name, JsonReport::Name}));
}

void addLevelOption(CLI::App &Command, std::string &Level, const std::string &Help) {
  std::vector<std::string> Names;
  for (tensorleak::Level L : AllLevels)
    Names.emplace_back(toString(L));
  Command.add_option("--level", Level, Help)->check(CLI::IsMember(Names));
}

std::string formatOf(const OutputOptions &Options) {
  if (!Options.Format.empty())
    return Options.Format;
  return fs::path(Options.File).extension() == ".sarif" ? SarifReport::Name : TextReport::Name;
}

void addSarifOptions(CLI::App &Command, OutputOptions &Options) {
  const char *Group = "In SARIF";
  Command
      .add_option("--source-root", Options.SourceRoot,
                  "The folder that paths are relative to (default: the top of the repository, or "
                  "the working folder)")
      ->group(Group);
  Command
      .add_option("--category", Options.Category,
                  "A name that tells the logs of several builds of one commit apart")
      ->group(Group);
  Command
      .add_option("--docs-url", Options.DocsUrl,
                  "Where tensorleak's docs/ stands on the web, for links to the rules' pages")
      ->group(Group);
}

SarifContext sarifContext(const OutputOptions &Options) {
  return {sourceRoot(Options.SourceRoot), Options.Category,
          Options.DocsUrl.empty() ? TENSORLEAK_DOCS_URL : Options.DocsUrl};
}

std::string formatHelp() {
  constexpr int Width = 10;
  std::ostringstream Out;
  Out << "Formats:";
  for (const Format &F : allFormats())
    Out << "\n  " << std::left << std::setw(Width) << F.Name << F.Description;
  return Out.str();
}

void addVerdictOptions(CLI::App &Command, OutputOptions &Options, const std::string &Terminal) {
  addFormatOption(Command, Options.Format, "the report on " + Terminal + ", or of the file of -o");
  Command.add_option("-o,--output", Options.File,
                     "Write the verdicts to this file, as SARIF unless --format says otherwise");
  Command.add_flag("--editor", Options.ForEditors,
                   "Also write the verdicts to .tensorleak/verified.sarif at the top of the "
                   "sources, where tensorleak-clangd finds them");
  addSarifOptions(Command, Options);
}

std::string editorsFile(const OutputOptions &Options) {
  if (!Options.ForEditors)
    return "";
  fs::path Folder = fs::path(sourceRoot(Options.SourceRoot)) / LastRunFolder;
  makeOwnFolder(Folder);
  return Folder / LastRunFile;
}

void writeVerdicts(const OutputOptions &Options, const FindingSet &Set, ReportContext Context,
                   std::ostream &Terminal) {
  Context.Sarif = sarifContext(Options);
  const std::string Format = formatOf(Options);
  bool ForPeople = isForPeople(Format);
  const std::string Shown = Options.File.empty() ? Format : TextReport::Name;
  formatNamed(ForPeople ? Format : Shown).Make(Set, Context)->write(Terminal);
  if (!Options.File.empty()) {
    writeFile(*formatNamed(ForPeople ? SarifReport::Name : Format).Make(Set, Context),
              Options.File);
    sayWhere("the findings are", Options.File);
  }
  if (std::string File = editorsFile(Options); !File.empty()) {
    writeFile(SarifReport(Set, Context), File);
    sayWhere("the verdicts for the editor are", File);
  }
}

void sayWhere(const std::string &What, const std::string &File) {
  std::cerr << "tensorleak: " << What << " in '" << File << "'\n";
}

/// Nobody wants to fail on what was refuted, or on a line that the input did not need.
void addFailOnOption(CLI::App &Command, std::vector<std::string> &Names) {
  std::string Confirmed(toString(Verdict::Confirmed)),
      Inconclusive(toString(Verdict::Inconclusive));
  Command
      .add_option("--fail-on", Names,
                  "Exit with 1 if a finding has one of these verdicts: " + Confirmed + ", " +
                      Inconclusive)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({Confirmed, Inconclusive}));
}

bool failsOn(const std::vector<std::string> &Names, const FindingSet &Set) {
  return std::any_of(Set.Findings.begin(), Set.Findings.end(), [&](const Finding &F) {
    return F.TheVerdict && !F.Suppressed &&
           std::count(Names.begin(), Names.end(), toString(*F.TheVerdict)) != 0;
  });
}

void requireWritable(const std::string &File, const std::string &Advice) {
  if (File.empty())
    return;
  bool Existed = access(File.c_str(), F_OK) == 0;
  if (!std::ofstream(File, std::ios::app))
    throw UsageError("cannot write to '" + File + "': " + std::strerror(errno) + "; " + Advice);
  if (!Existed)
    std::remove(File.c_str());
}

bool showsColor(int Stream) {
  const char *Off = std::getenv("NO_COLOR"), *Terminal = std::getenv("TERM");
  bool Dumb = Terminal && std::string_view(Terminal) == "dumb";
  return isatty(Stream) == 1 && !Dumb && (!Off || !*Off);
}

unsigned terminalWidth(int Stream) {
  winsize Window = {};
  return ioctl(Stream, TIOCGWINSZ, &Window) == 0 ? Window.ws_col : 0;
}

ReportContext contextFor(int Stream, std::string Summary) {
  return {showsColor(Stream), workingFolder(), std::move(Summary), {}, terminalWidth(Stream)};
}

} // namespace tensorleak
