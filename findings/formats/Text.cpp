//===-- Text.cpp - Reports for people --------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file:line:col: warning: message [rule], the source line with a caret, and the
// path as notes without a rule. Editors and CI systems parse this form, so sentences
// are wrapped for terminals alone.
//
// A finding that a run has judged was shown with its source before: below it stands
// what the run says.
//
//===----------------------------------------------------------------------===//
#include "findings/RuleNames.h"
#include "findings/VerdictText.h"
#include "findings/files/Printable.h"
#include "findings/files/SourceLines.h"
#include "findings/formats/Formats.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

namespace tensorleak {
namespace {

// The colours that Clang uses.
constexpr TerminalCode Red{"\033[0;1;31m"}, Bold{"\033[0;1;39m"}, Magenta{"\033[0;1;35m"},
    Blue{"\033[0;1;34m"}, Grey{"\033[0;1;30m"}, Green{"\033[0;1;32m"}, Cyan{"\033[0;1;36m"},
    Reset{"\033[0m"};

/// What stands before the caret: tabs stay, so that it lines up in any terminal.
std::string indentation(const std::string &Line, unsigned Column) {
  std::string Out;
  for (unsigned I = 0; I + 1 < Column; ++I) {
    // Continuation bytes of UTF-8 take no column on the screen.
    if (I < Line.size() && (Line[I] & 0xC0) == 0x80)
      continue;
    Out += I < Line.size() && Line[I] == '\t' ? '\t' : ' ';
  }
  return Out;
}

/// The findings of checks, with their source.
class SourceText {
public:
  SourceText(std::ostream &Out, const ReportContext &Context) : Out(Out), Context(Context) {}

  void write(const Finding &F);

private:
  void writeLine(const Location &Where, std::string_view Label, TerminalCode Style,
                 const std::string &Message, const std::string &Suffix);
  void writeSource(const Location &Where);
  void writeFix(const FixIt &Fix);
  TerminalCode style(TerminalCode Code) const;
  /// The text of a source line, or nothing where the file cannot be read.
  std::optional<std::string> sourceLine(const Location &Where);

  std::ostream &Out;
  const ReportContext &Context;
  SourceLines Sources;
  Location Shown; ///< what was shown last of this finding
};

TerminalCode SourceText::style(TerminalCode Code) const {
  return Context.Color ? Code : TerminalCode();
}

std::optional<std::string> SourceText::sourceLine(const Location &Where) {
  auto Line = Sources.line(Where.File, Where.Line);
  return Line ? std::optional<std::string>(*Line) : std::nullopt;
}

void SourceText::writeSource(const Location &Where) {
  std::optional<std::string> Line = sourceLine(Where);
  if (!Line)
    return;
  std::string Number = std::to_string(Where.Line);
  std::string Gutter(Number.size() < 5 ? 5 - Number.size() : 0, ' ');
  Out << Gutter << Number << " | " << *Line << '\n';
  if (Where.Column)
    Out << std::string(Gutter.size() + Number.size(), ' ') << " | "
        << indentation(*Line, Where.Column) << style(Green) << '^' << style(Reset) << '\n';
}

/// What a fix-it inserts, below the place where it does.
void SourceText::writeFix(const FixIt &Fix) {
  std::optional<std::string> Line = sourceLine(Fix.Begin);
  if (!Line || Fix.Text.empty() || Fix.Text.find('\n') != std::string::npos)
    return;
  size_t Width = std::max<size_t>(5, std::to_string(Fix.Begin.Line).size());
  Out << std::string(Width, ' ') << " | " << indentation(*Line, Fix.Begin.Column) << style(Green)
      << Fix.Text << style(Reset) << '\n';
}

void SourceText::writeLine(const Location &Where, std::string_view Label, TerminalCode Style,
                           const std::string &Message, const std::string &Suffix) {
  Out << style(Bold);
  if (Where.isValid())
    Out << shortPath(Where.File, Context.Folder) << ':' << Where.Line << ':' << Where.Column
        << ": ";
  else if (!Where.File.empty()) // a program without debug information
    Out << shortPath(Where.File, Context.Folder) << ": ";
  Out << style(Style) << Label << ": " << style(Reset) << style(Bold) << Message << style(Reset)
      << Suffix << '\n';
  if (!(Where == Shown)) // a note on the same place needs no second look at it
    writeSource(Where);
  Shown = Where;
}

void SourceText::write(const Finding &F) {
  bool Warning = F.TheLevel == Level::Warning;
  Shown = {};
  if (F.AsError)
    writeLine(F.Where, "error", Red, F.Message, " [" + F.Rule + ",-warnings-as-errors]");
  else
    writeLine(F.Where, toString(F.TheLevel), Warning ? Magenta : Blue, F.Message,
              " [" + F.Rule + "]");
  for (const FixIt &Fix : F.Fixes)
    if (Fix.Begin.File == F.Where.File && Fix.Begin.Line == F.Where.Line)
      writeFix(Fix);
  for (const PathNote &Note : F.Notes)
    writeLine(Note.Where, "note", Grey, Note.Message, "");
}

//===-- On a terminal -----------------------------------------------------===//

/// "   14 |   code": what stands before the bar is a line's number, or nothing.
bool isSource(std::string_view Line) {
  const size_t Bar = Line.find(" | ");
  return Bar != Line.npos && Line.find_first_not_of(" 0123456789") >= Bar;
}

/// How many columns \p Text takes: colours take none, nor do UTF-8's continuation bytes.
size_t columnsOf(std::string_view Text) {
  size_t Columns = 0;
  bool InColour = false;
  for (char C : Text) {
    InColour |= C == '\033';
    Columns += !InColour && (C & 0xC0) != 0x80;
    InColour &= C != 'm';
  }
  return Columns;
}

/// \p Line with its words on as many lines as it needs; what follows stands further to the right.
void writeWrapped(std::ostream &Out, std::string_view Line, size_t Width) {
  constexpr size_t Further = 4;
  const size_t Start = std::min(Line.find_first_not_of(' '), Line.size());
  size_t Column = 0;
  for (size_t At = 0, End = 0; At < Line.size(); At = End + 1) {
    End = std::min(Line.find(' ', std::max(At, Start)), Line.size());
    const std::string_view Word = Line.substr(At, End - At);
    const size_t Columns = columnsOf(Word);
    const bool Fits = At == 0 || Column + 1 + Columns <= Width;
    Out << (At == 0 ? "" : Fits ? " " : "\n" + std::string(Start + Further, ' ')) << Word;
    Column = (Fits ? Column + (At != 0) : Start + Further) + Columns;
  }
  Out << '\n';
}

/// \p Text is printable, but for colours of ours: no filter is to spell these.
void writeWrappedLines(std::ostream &Unfiltered, const std::string &Text, size_t Width) {
  std::istringstream Lines(Text);
  std::ostringstream Out;
  for (std::string Line; std::getline(Lines, Line);)
    if (isSource(Line) || columnsOf(Line) <= Width)
      Out << Line << '\n';
    else
      writeWrapped(Out, Line, Width);
  Unfiltered << TerminalCode{Out.str()};
}

//===-- What a run says ---------------------------------------------------===//

std::string placeOf(const Location &L, const std::string &Folder) {
  std::string Out = shortPath(L.File, Folder);
  if (L.isValid())
    Out += ":" + std::to_string(L.Line);
  return L.Column ? Out + ":" + std::to_string(L.Column) : Out;
}

/// "confirmed, 32 KiB per step" and the parts of the job that say so.
std::map<std::string, std::vector<std::string>> partsByVerdict(const Finding &F) {
  std::map<std::string, std::vector<std::string>> Out;
  for (const PartVerdict &P : F.Parts) {
    std::string What(wordsFor(P.TheVerdict));
    if (P.BytesPerStep && *P.BytesPerStep)
      What += ", " + formatBytes(*P.BytesPerStep) + " per step";
    Out[What].push_back(P.Part);
  }
  return Out;
}

/// A job may have thousands of ranks.
std::string listed(const std::vector<std::string> &Names) {
  constexpr size_t MaxNamed = 16;
  std::string Out;
  for (size_t I = 0; I < Names.size() && I < MaxNamed; ++I)
    Out += (I ? ", " : "") + Names[I];
  return Names.size() > MaxNamed ? Out + " and " + std::to_string(Names.size() - MaxNamed) + " more"
                                 : Out;
}

/// The findings of a run, each with its verdict.
class JudgedText {
public:
  JudgedText(std::ostream &Out, const ReportContext &Context)
      : Out(Out), Folder(Context.Folder), Color(Context.Color) {}

  void write(const Finding &F);
  void writeExpected(const Finding &F);

private:
  struct Painted {
    TerminalCode Before;
    std::string Text;
    TerminalCode After;
    friend std::ostream &operator<<(std::ostream &Out, const Painted &P) {
      return Out << P.Before << P.Text << P.After;
    }
  };
  Painted painted(TerminalCode Colour, std::string_view Text) const;
  TerminalCode colourOf(Verdict V) const;

  std::ostream &Out;
  const std::string &Folder;
  bool Color;
};

JudgedText::Painted JudgedText::painted(TerminalCode Colour, std::string_view Text) const {
  return Color ? Painted{Colour, std::string(Text), Reset} : Painted{{}, std::string(Text), {}};
}

TerminalCode JudgedText::colourOf(Verdict V) const {
  return V == Verdict::Confirmed ? Red : V == Verdict::Refuted ? Green : Cyan;
}

void JudgedText::write(const Finding &F) {
  bool IsNote = F.TheLevel == Level::Note;
  Out << painted(Bold, placeOf(F.Where, Folder) + ":") << ' '
      << painted(IsNote ? Cyan : Magenta, std::string(toString(F.TheLevel)) + ":") << ' '
      << painted(Bold, F.Message) << " [" << F.Rule << "]\n";
  Out << "  " << painted(colourOf(*F.TheVerdict), wordsFor(*F.TheVerdict)) << ": "
      << describeEvidence(F) << '\n';
  if (!F.TheEvidence.Holder.empty())
    Out << "  kept by " << F.TheEvidence.Holder << '\n';
  if (F.Rule == rules::ObservedGrowth)
    for (const PathNote &Part : F.Notes)
      Out << "  " << placeOf(Part.Where, Folder) << ": " << Part.Message << '\n';
  for (const auto &[What, Parts] : partsByVerdict(F))
    Out << "  " << listed(Parts) << ": " << What << '\n';
}

/// One line: what grows, and who said that it may.
void JudgedText::writeExpected(const Finding &F) {
  Out << "tensorleak: expected: " << placeOf(F.Where, Folder) << ": "
      << describeFigures(F.TheEvidence) << "; " << F.Suppressed->Why << '\n';
}

} // namespace

static void writeText(std::ostream &Out, const FindingSet &Set, const ReportContext &Context) {
  PrintableStream Filtered(Out); // a file may be shown in a terminal later
  SourceText Source(Out, Context);
  JudgedText Judged(Out, Context);
  for (const Finding &F : Set.Findings)
    if (F.TheVerdict && !F.Suppressed)
      Judged.write(F);
    else if (!F.Suppressed)
      Source.write(F);
  for (const Finding &F : Set.Findings)
    if (F.Suppressed && F.Suppressed->InSource)
      Judged.writeExpected(F);
  Out << Context.Summary;
}

void TextReport::write(std::ostream &Out) const {
  if (!Context.Width)
    return writeText(Out, Set, Context);
  std::ostringstream Text;
  writeText(Text, Set, Context);
  writeWrappedLines(Out, Text.str(), Context.Width);
}

} // namespace tensorleak
