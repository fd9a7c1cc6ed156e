//===-- Baseline.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/baseline/Baseline.h"
#include "findings/RuleNames.h"
#include "findings/files/FileUri.h"
#include "findings/files/SourceLines.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fnmatch.h>
#include <functional>
#include <iterator>
#include <tuple>

namespace tensorleak {
namespace {

/// Sizes and counts change without the finding becoming another.
std::string withoutNumbers(const std::string &Text) {
  std::string Out;
  for (char C : Text)
    if (!std::isdigit(static_cast<unsigned char>(C)))
      Out += C;
    else if (Out.empty() || Out.back() != '#')
      Out += '#';
  return Out;
}

/// How the line is laid out says nothing.
std::string hashOfLine(std::optional<std::string_view> Line) {
  constexpr size_t Digits = 16;
  std::string Text;
  for (char C : Line.value_or(""))
    if (!std::isspace(static_cast<unsigned char>(C)))
      Text += C;
  return Text.empty() ? "" : hashText(Text).substr(0, Digits);
}

class EntryMaker {
public:
  explicit EntryMaker(const std::string &Root) : Root(Root) {}

  BaselineEntry entryOf(const Finding &F) {
    return {F.Rule,
            shortPath(F.Where.File, Root),
            F.Function,
            withoutNumbers(F.Message),
            hashOfLine(Lines.line(F.Where.File, F.Where.Line)),
            "",
            1};
  }

private:
  const std::string &Root;
  SourceLines Lines;
};

bool matches(const std::string &Glob, const std::string &Text) {
  return Glob.empty() || fnmatch(Glob.c_str(), Text.c_str(), 0) == 0;
}

bool accepts(const AcceptedByHand &A, const BaselineEntry &E) {
  return matches(A.Rule, E.Rule) && matches(A.File, E.File) && matches(A.Function, E.Function);
}

auto orderOf(const BaselineEntry &E) {
  return std::tie(E.File, E.Rule, E.Function, E.Message, E.Line);
}

//===-- Which entry a finding is ------------------------------------------===//

using IsSame = std::function<bool(const BaselineEntry &Known, const BaselineEntry &New)>;

bool samePlace(const BaselineEntry &A, const BaselineEntry &B) {
  return A.Rule == B.Rule && A.Function == B.Function && A.File == B.File;
}
bool sameLine(const BaselineEntry &A, const BaselineEntry &B) {
  return !A.Line.empty() && A.Line == B.Line;
}

/// The surest first: so that of two findings in one function each finds its own entry.
std::vector<IsSame> waysToBeSame(const std::string &Root) {
  auto IsGone = [Root](const BaselineEntry &E) {
    std::error_code Error;
    return !std::filesystem::exists(std::filesystem::path(Root) / E.File, Error);
  };
  return {
      [](auto &A, auto &B) { return samePlace(A, B) && A.Message == B.Message && sameLine(A, B); },
      [](auto &A, auto &B) { return samePlace(A, B) && A.Message == B.Message; },
      [](auto &A, auto &B) { return samePlace(A, B) && sameLine(A, B); },
      [IsGone](auto &A, auto &B) {
        return A.Rule == B.Rule && A.Function == B.Function && sameLine(A, B) && IsGone(A);
      }};
}

class Matcher {
public:
  Matcher(const Baseline &B, const std::string &Root) : Left(B.Entries), Root(Root) {}

  /// For each finding, the entry that it is.
  std::vector<const BaselineEntry *> match(const std::vector<BaselineEntry> &New);
  /// With how many of each were not found.
  std::vector<BaselineEntry> stale() const;

private:
  BaselineEntry *find(const BaselineEntry &New, const IsSame &Same);

  std::vector<BaselineEntry> Left;
  std::string Root;
};

BaselineEntry *Matcher::find(const BaselineEntry &New, const IsSame &Same) {
  auto Found = std::find_if(Left.begin(), Left.end(), [&](const BaselineEntry &Known) {
    return Known.Count && Same(Known, New);
  });
  return Found == Left.end() ? nullptr : &*Found;
}

std::vector<const BaselineEntry *> Matcher::match(const std::vector<BaselineEntry> &New) {
  std::vector<const BaselineEntry *> Out(New.size());
  for (const IsSame &Same : waysToBeSame(Root))
    for (size_t I = 0; I < New.size(); ++I)
      if (BaselineEntry *Known = Out[I] ? nullptr : find(New[I], Same)) {
        --Known->Count;
        Out[I] = Known;
      }
  return Out;
}

std::vector<BaselineEntry> Matcher::stale() const {
  std::vector<BaselineEntry> Out;
  for (const BaselineEntry &E : Left)
    if (E.Count)
      Out.push_back(E);
  return Out;
}

/// Of equal ones, one with their number.
std::vector<BaselineEntry> counted(std::vector<BaselineEntry> Entries) {
  std::sort(Entries.begin(), Entries.end(),
            [](auto &A, auto &B) { return orderOf(A) < orderOf(B); });
  std::vector<BaselineEntry> Out;
  for (BaselineEntry &E : Entries)
    if (!Out.empty() && orderOf(Out.back()) == orderOf(E)) {
      ++Out.back().Count;
      if (Out.back().Reason.empty())
        Out.back().Reason = E.Reason;
    } else {
      Out.push_back(std::move(E));
    }
  return Out;
}

/// What a baseline is about: not what somebody else has set aside, nor what is not true.
void dropSettled(std::vector<Finding> &Findings) {
  Findings.erase(std::remove_if(Findings.begin(), Findings.end(),
                                [](const Finding &F) {
                                  return F.Suppressed || F.TheVerdict == Verdict::Refuted;
                                }),
                 Findings.end());
}

/// A run names what it looks for, also where it found none.
bool isOfRun(const FindingSet &Log) {
  return std::any_of(Log.Rules.begin(), Log.Rules.end(),
                     [](const RuleInfo &R) { return rules::isOfRuns(R.Id); });
}

void dropByHand(const Baseline &B, std::vector<BaselineEntry> &Entries) {
  Entries.erase(std::remove_if(Entries.begin(), Entries.end(),
                               [&](const BaselineEntry &E) {
                                 return std::any_of(
                                     B.ByHand.begin(), B.ByHand.end(),
                                     [&](const AcceptedByHand &A) { return accepts(A, E); });
                               }),
                Entries.end());
}

} // namespace

std::vector<BaselineEntry> entriesOf(const std::vector<Finding> &Findings,
                                     const std::string &Root) {
  EntryMaker Maker(Root);
  std::vector<BaselineEntry> Out;
  for (const Finding &F : Findings)
    Out.push_back(Maker.entryOf(F));
  return Out;
}

BaselineUse apply(const Baseline &B, const std::string &Root, std::vector<Finding> &Findings) {
  std::vector<BaselineEntry> All = entriesOf(Findings, Root);
  Matcher M(B, Root);
  std::vector<const BaselineEntry *> Known = M.match(All);
  BaselineUse Out;
  for (size_t I = 0; I < Findings.size(); ++I) {
    std::optional<std::string> Why;
    if (Known[I])
      Why = Known[I]->Reason.empty() ? "in the baseline" : Known[I]->Reason;
    for (const AcceptedByHand &A : B.ByHand)
      if (accepts(A, All[I]))
        Why = A.Reason;
    Out.Known += Why.has_value();
    if (Why)
      Findings[I].Suppressed = Suppression{/*InSource=*/false, *Why};
  }
  Out.Stale = M.stale();
  return Out;
}

Baseline updated(const Baseline &Old, const std::string &Root, FindingSet Now) {
  dropSettled(Now.Findings);
  std::vector<BaselineEntry> All = entriesOf(Now.Findings, Root);
  dropByHand(Old, All);
  Matcher M(Old, Root);
  std::vector<const BaselineEntry *> Known = M.match(All);
  for (size_t I = 0; I < All.size(); ++I)
    if (Known[I])
      All[I].Reason = Known[I]->Reason;
  std::vector<BaselineEntry> Out = counted(std::move(All));
  if (!isOfRun(Now))
    std::copy_if(Old.Entries.begin(), Old.Entries.end(), std::back_inserter(Out),
                 [](const BaselineEntry &E) { return rules::isOfRuns(E.Rule); });
  return {Old.ByHand, std::move(Out)};
}

Baseline pruned(const Baseline &Old, const std::string &Root, FindingSet Now) {
  dropSettled(Now.Findings);
  std::vector<BaselineEntry> All = entriesOf(Now.Findings, Root);
  Matcher M(Old, Root);
  M.match(All);
  Baseline Out = Old;
  for (const BaselineEntry &Gone : M.stale())
    for (BaselineEntry &E : Out.Entries)
      if (orderOf(E) == orderOf(Gone) && (isOfRun(Now) || !rules::isOfRuns(E.Rule)))
        E.Count -= std::min(E.Count, Gone.Count);
  Out.Entries.erase(std::remove_if(Out.Entries.begin(), Out.Entries.end(),
                                   [](const BaselineEntry &E) { return E.Count == 0; }),
                    Out.Entries.end());
  return Out;
}

std::string describe(const BaselineEntry &E) {
  return (E.Count > 1 ? std::to_string(E.Count) + " of " : "") + E.Rule + " in " + E.File +
         (E.Function.empty() ? "" : " (" + E.Function + ")");
}

} // namespace tensorleak
