//===-- JUnit.cpp - Reports for CI systems that show tests -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JUnit's XML: a finding is a test that fails. One that a run refuted passes, and one that
// it could not judge, or that is set aside, is skipped with the reason. A rule without a
// finding is a test that passes, for some readers take a report without tests for an error.
//
// The XML is written by hand: no library keeps out the characters that XML has no way to
// write, which is all that is difficult about it.
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/VerdictText.h"
#include "findings/formats/Formats.h"

#include <algorithm>
#include <ostream>
#include <set>

namespace tensorleak {
namespace {

/// U+FFFE and U+FFFF, which XML 1.0 has no way to write, like most control characters.
bool isNoCharacter(std::string_view Rest) {
  return Rest.substr(0, 3) == "\xEF\xBF\xBE" || Rest.substr(0, 3) == "\xEF\xBF\xBF";
}

std::string escapedByte(char C) {
  switch (C) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\n':
  case '\r':
  case '\t': // in an attribute they would be read as spaces
    return "&#" + std::to_string(C) + ';';
  }
  bool IsControl = static_cast<unsigned char>(C) < 0x20;
  return IsControl ? "?" : std::string(1, C);
}

/// For attributes and for text.
std::string escaped(const std::string &Text) {
  std::string Valid = validUtf8(Text), Out;
  for (size_t I = 0; I < Valid.size(); ++I)
    if (isNoCharacter(std::string_view(Valid).substr(I))) {
      Out += '?';
      I += 2;
    } else {
      Out += escapedByte(Valid[I]);
    }
  return Out;
}

std::string attribute(const char *Name, const std::string &Value) {
  return std::string(" ") + Name + "=\"" + escaped(Value) + '"';
}

bool isSkipped(const Finding &F) {
  return F.Suppressed || F.TheVerdict == Verdict::NotReached ||
         F.TheVerdict == Verdict::Inconclusive;
}

bool isFailure(const Finding &F) { return !isSkipped(F) && F.TheVerdict != Verdict::Refuted; }

/// What the test came to.
std::string outcomeOf(const Finding &F) {
  std::string Message = messageWithVerdict(F);
  if (isSkipped(F))
    return "<skipped" +
           attribute("message", F.Suppressed ? Message + "; " + F.Suppressed->Why : Message) + "/>";
  if (!isFailure(F))
    return "<system-out>" + escaped(Message) + "</system-out>";
  return "<failure" + attribute("type", std::string(toString(F.TheLevel))) +
         attribute("message", Message) + "/>";
}

void writeTest(std::ostream &Out, const Finding &F, const std::string &Folder) {
  std::string Path = shortPath(F.Where.File, Folder), Line = std::to_string(F.Where.Line);
  Out << "    <testcase" << attribute("classname", F.Rule)
      << attribute("name", Path + ':' + Line + ':' + std::to_string(F.Where.Column))
      << attribute("file", Path) << attribute("line", Line) << ">\n      " << outcomeOf(F)
      << "\n    </testcase>\n";
}

/// The rules that found nothing.
std::vector<std::string> silentRules(const FindingSet &Set) {
  std::set<std::string> Spoken;
  for (const Finding &F : Set.Findings)
    Spoken.insert(F.Rule);
  std::vector<std::string> Out;
  for (const RuleInfo &R : Set.Rules)
    if (!Spoken.count(R.Id))
      Out.push_back(R.Id);
  return Out;
}

} // namespace

void JUnitReport::write(std::ostream &Out) const {
  auto Count = [this](bool (*Holds)(const Finding &)) {
    return std::to_string(std::count_if(Set.Findings.begin(), Set.Findings.end(), Holds));
  };
  std::vector<std::string> Silent = silentRules(Set);
  std::string Counts = attribute("tests", std::to_string(Set.Findings.size() + Silent.size())) +
                       attribute("failures", Count(isFailure)) +
                       attribute("skipped", Count(isSkipped)) + attribute("errors", "0");
  Out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite"
      << attribute("name", "tensorleak") << Counts << ">\n";
  for (const std::string &Rule : Silent)
    Out << "    <testcase" << attribute("classname", Rule) << attribute("name", "no finding")
        << "/>\n";
  for (const Finding &F : Set.Findings)
    writeTest(Out, F, Context.Folder);
  Out << "  </testsuite>\n</testsuites>\n";
}

} // namespace tensorleak
