//===-- NoLint.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/NoLint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace tensorleak {

NoLintComments::NoLintComments(StringRef Text) {
  unsigned Number = 0;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    readLine(Line, ++Number);
    Text = Rest;
  }
}

void NoLintComments::readLine(StringRef Line, unsigned Number) {
  constexpr StringLiteral Word = "NOLINT";
  for (size_t At = Line.find(Word); At != StringRef::npos; At = Line.find(Word)) {
    Line = Line.drop_front(At + Word.size());
    bool Next = Line.consume_front("NEXTLINE"), Begin = !Next && Line.consume_front("BEGIN"),
         End = !Next && !Begin && Line.consume_front("END");
    StringRef Globs;
    RuleList Rules;
    if (Line.starts_with("(") && Line.contains(')')) {
      Globs = Line.drop_front().take_until([](char C) { return C == ')'; });
      Rules = std::make_shared<clang::tidy::GlobList>(Globs, /*KeepNegativeGlobs=*/false);
    }
    if (Begin)
      Open.push_back({Number, Globs.str()});
    else if (End)
      closeBlock(Globs, Rules, Number);
    else
      Regions.push_back({Number + Next, Number + Next, Rules});
  }
}

/// An end closes the innermost begin, which must name the same rules.
void NoLintComments::closeBlock(StringRef Globs, const RuleList &Rules, unsigned Line) {
  if (Open.empty() || Open.back().Globs != Globs)
    return;
  Regions.push_back({Open.back().Line, Line, Rules});
  Open.pop_back();
}

bool NoLintComments::silence(StringRef Rule, unsigned Line) const {
  return any_of(Regions, [&](const Region &R) {
    return R.Begin <= Line && Line <= R.End && (!R.Rules || R.Rules->contains(Rule));
  });
}

static NoLintComments readComments(const std::string &File) {
  auto Buffer = MemoryBuffer::getFile(File);
  return NoLintComments(Buffer ? (*Buffer)->getBuffer() : StringRef());
}

unsigned removeSilenced(std::vector<Finding> &Findings) {
  std::map<std::string, NoLintComments> Files;
  size_t Before = Findings.size();
  erase_if(Findings, [&](const Finding &F) {
    auto It = Files.find(F.Where.File);
    if (It == Files.end())
      It = Files.emplace(F.Where.File, readComments(F.Where.File)).first;
    return It->second.silence(F.Rule, F.Where.Line);
  });
  return Before - Findings.size();
}

} // namespace tensorleak
