//===-- ProjectPass.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/ProjectPass.h"

#include "checks/Exports.h"

#include <algorithm>
#include <cstring>

namespace tensorleak {

/// A chain of calls through more files than this is cut: each round may parse most
/// of the project again.
static constexpr unsigned MaxRounds = 5;

ProjectPass::ProjectPass(size_t Units, std::vector<FileFacts> Others, CacheFunction CacheOf,
                         CheckFunction Check, ForEachFunction ForEach, IsOursFunction IsOurs)
    : Others(std::move(Others)), CacheOf(std::move(CacheOf)), Check(std::move(Check)),
      ForEach(std::move(ForEach)), IsOurs(std::move(IsOurs)), States(Units) {}

static FileFacts without(const char *Kind, FileFacts Facts) {
  for (auto It = Facts.begin(); It != Facts.end();)
    It = isAbout(It->first, Kind) ? Facts.erase(It) : std::next(It);
  return Facts;
}

/// What a file says before it knows any of the functions of others.
/// Where a variable ends up it says of all that it sees, also of what others told it. That these
/// functions may do anything is not told: it would come back to it for ever. How it calls them
/// is told: they are analysed once less.
static FileFacts atFirstSight(const FileFacts &Facts) {
  FileFacts Out = without(VariableFact, Facts);
  for (const auto &[Key, Calls] : Facts)
    if (isAbout(Key, UnseenCallsFact))
      addFact(Out, CallsFact + Key.substr(std::strlen(UnseenCallsFact)), Calls);
  return without(UnseenCallsFact, std::move(Out));
}

ProjectIndex ProjectPass::index(Told What) const {
  ProjectIndex Out;
  for (size_t I = 0; I < States.size(); ++I)
    Out.add(I, What == Told::Everything ? without(UnseenCallsFact, States[I].Facts.Facts)
                                        : atFirstSight(States[I].Facts.Facts));
  for (size_t I = 0; I < Others.size(); ++I)
    Out.add(States.size() + I, Others[I]);
  return Out;
}

void ProjectPass::analyze(State &S, const ProjectIndex &Index, size_t Unit) {
  RecordingView View(Index, Unit);
  ProjectContext Context;
  Context.View = &View;
  S.Result = Check(Unit, Context);
  S.Facts = {std::move(S.Result.Facts), std::move(View.Asked)};
  if (S.Cache && !S.Result.Crashed)
    S.Cache->add(S.Facts, S.Result);
}

void ProjectPass::update(State &S, const ProjectIndex &Index, size_t Unit) {
  if (S.IsKnown && holds(S.Facts.Asked, Index, Unit))
    return;
  if (!S.IsKnown)
    S.Cache = CacheOf(Unit);
  S.IsKnown = true;
  auto Cached = S.Cache ? S.Cache->find(Index, Unit) : std::nullopt;
  S.IsMissing = !Cached && !IsOurs(Unit);
  if (S.IsMissing)
    return;
  if (!Cached)
    return analyze(S, Index, Unit);
  S.Facts = std::move(Cached->Facts);
  S.Result = std::move(Cached->Result);
}

bool ProjectPass::isAnyMissing() const {
  return std::any_of(States.begin(), States.end(), [](const State &S) { return S.IsMissing; });
}

/// Whether some unit has exported other facts than in the round before.
bool ProjectPass::round(Told What) {
  const ProjectIndex AtRoundStart = index(What);
  std::vector<FileFacts> Before;
  for (const State &S : States)
    Before.push_back(S.Facts.Facts);
  ForEach(States.size(), [&](size_t I) { update(States[I], AtRoundStart, I); });
  for (size_t I = 0; I < States.size(); ++I)
    if (States[I].Facts.Facts != Before[I])
      return true;
  return false;
}

std::vector<UnitResult> ProjectPass::run() {
  round(Told::Nothing);
  if (!isAnyMissing())
    round(Told::NoVariables);
  for (unsigned Round = 2; Round < MaxRounds && !isAnyMissing(); ++Round)
    if (!round(Told::Everything))
      break;
  std::vector<UnitResult> Out;
  for (State &S : States) {
    S.Result.Facts = std::move(S.Facts.Facts);
    Out.push_back(std::move(S.Result));
  }
  return Out;
}

} // namespace tensorleak
