//===-- Suppressions.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/suppressions/Suppressions.h"
#include "findings/files/ReadFile.h"
#include "runtime/replay/verdicts/Matcher.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace tensorleak {
namespace {

constexpr std::string_view Prefix = "leak:";

std::string_view trimmed(std::string_view Line) {
  constexpr const char *Blanks = " \t\r";
  size_t First = Line.find_first_not_of(Blanks);
  return First == Line.npos ? "" : Line.substr(First, Line.find_last_not_of(Blanks) - First + 1);
}

SuppressionLine parseLine(std::string_view Line, const std::string &Place) {
  if (Line.substr(0, Prefix.size()) != Prefix)
    throw std::runtime_error(Place + ": '" + std::string(Line) +
                             "' is no suppression; write leak:PATTERN, or # before a comment");
  std::string Pattern(trimmed(Line.substr(Prefix.size())));
  if (Pattern.find_first_not_of("*^$") == Pattern.npos)
    throw std::runtime_error(Place + ": '" + std::string(Line) +
                             "' would suppress everything; name a function, file or module");
  return {Pattern, Place};
}

/// All names of one stack that allocated.
using Names = std::set<std::string>;

void addFrames(const std::vector<Frame> &Frames, Names &Out) {
  for (const Frame &F : Frames) {
    Out.insert(F.Function);
    Out.insert(F.Where.File);
  }
}

bool isAlive(const SourceSite &Site) {
  return std::any_of(Site.Objects.begin(), Site.Objects.end(),
                     [](const RecordedObject &O) { return !O.DeathTick; });
}

/// The stacks of the memory that stayed alive and is the finding's.
std::vector<Names> memoryOf(const Finding &F, const RunFacts &Run) {
  std::vector<Names> Out;
  for (const SourceSite &Site : Run.Sites) {
    if (!isAlive(Site) || (match(F, Site.Frames) != Match::Line && !isHeldBy(F, Site, Run)))
      continue;
    addFrames(Site.Frames, Out.emplace_back(Site.Modules));
  }
  return Out;
}

/// The same of autograd nodes, for findings that keep nothing else.
std::vector<Names> nodesOf(const Finding &F, const RunFacts &Run) {
  std::vector<Names> Out;
  if (!Run.Censuses.empty())
    for (const NodeCount::Group &G : Run.Censuses.back().Groups)
      if (match(F, G.Frames) == Match::Line)
        addFrames(G.Frames, Out.emplace_back());
  return Out;
}

bool isLeak(const Finding &F) {
  bool Leaks = F.TheKind == Kind::Retention || F.TheKind == Kind::Ownership;
  return Leaks && F.TheVerdict == Verdict::Confirmed && !F.Suppressed;
}

SuppressionLine *lineFor(const Names &All, std::vector<SuppressionLine> &Lines) {
  auto Speaks = [&All](const SuppressionLine &L) {
    return std::any_of(All.begin(), All.end(),
                       [&L](const std::string &Name) { return matchesPattern(L.Pattern, Name); });
  };
  auto Found = std::find_if(Lines.begin(), Lines.end(), Speaks);
  return Found == Lines.end() ? nullptr : &*Found;
}

/// The line that speaks of the finding's own file or of all its memory.
SuppressionLine *lineFor(const Finding &F, const RunFacts &Run,
                         std::vector<SuppressionLine> &Lines) {
  if (SuppressionLine *L = lineFor(Names{F.Where.File}, Lines))
    return L;
  std::vector<Names> Stacks = memoryOf(F, Run);
  if (Stacks.empty())
    Stacks = nodesOf(F, Run);
  SuppressionLine *First = nullptr;
  for (const Names &Stack : Stacks) {
    SuppressionLine *L = lineFor(Stack, Lines);
    if (!L)
      return nullptr;
    First = First ? First : L;
  }
  return First;
}

std::string contentOf(const std::string &File) try {
  return readFile(File);
} catch (const std::runtime_error &E) {
  throw std::runtime_error("cannot read suppressions from '" + File + "': " + E.what());
}

} // namespace

std::vector<SuppressionLine> readSuppressions(const std::string &File) {
  std::istringstream In(contentOf(File));
  std::vector<SuppressionLine> Out;
  std::string Line;
  for (unsigned Number = 1; std::getline(In, Line); ++Number)
    if (std::string_view Text = trimmed(Line); !Text.empty() && Text.front() != '#')
      Out.push_back(parseLine(Text, File + ":" + std::to_string(Number)));
  return Out;
}

/// The pieces between stars must follow each other; the first is tied to the start by
/// '^', the last to the end by '$'.
bool matchesPattern(std::string_view Pattern, std::string_view Name) {
  bool AtStart = !Pattern.empty() && Pattern.front() == '^';
  bool AtEnd = !Pattern.empty() && Pattern.back() == '$';
  Pattern.remove_prefix(AtStart);
  Pattern.remove_suffix(AtEnd);
  size_t At = 0;
  for (bool First = true;; First = false) {
    size_t Star = Pattern.find('*');
    bool Last = Star == Pattern.npos;
    std::string_view Piece = Pattern.substr(0, Star);
    size_t Found = Last && AtEnd && !(First && AtStart) ? Name.rfind(Piece) : Name.find(Piece, At);
    bool Misses = Found == Name.npos || Found < At || (First && AtStart && Found != 0) ||
                  (Last && AtEnd && Found + Piece.size() != Name.size());
    if (Misses || Last)
      return !Misses;
    At = Found + Piece.size();
    Pattern.remove_prefix(Star + 1);
  }
}

void suppress(std::vector<Finding> &Findings, const RunFacts &Run,
              std::vector<SuppressionLine> &Lines) {
  for (Finding &F : Findings) {
    SuppressionLine *L = isLeak(F) ? lineFor(F, Run, Lines) : nullptr;
    if (!L)
      continue;
    F.Suppressed = {/*InSource=*/false, "leak:" + L->Pattern + " (" + L->Place + ")"};
    ++L->Findings;
    L->BytesPerStep += F.TheEvidence.BytesPerStep.value_or(0);
  }
}

std::vector<std::string> describe(const std::vector<SuppressionLine> &Lines) {
  std::vector<std::string> Out;
  for (const SuppressionLine &L : Lines) {
    std::string What = L.Findings == 0 ? " matched nothing"
                                       : " suppressed " + std::to_string(L.Findings) + " leak" +
                                             (L.Findings > 1 ? "s" : "") + ", " +
                                             formatBytes(L.BytesPerStep) + " per step";
    Out.push_back("leak:" + L.Pattern + " (" + L.Place + ")" + What);
  }
  return Out;
}

} // namespace tensorleak
