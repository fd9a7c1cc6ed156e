//===-- ProjectPass.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/ProjectPass.h"

namespace tensorleak {

/// A chain of calls through more files than this is cut: each round may parse most
/// of the project again.
static constexpr unsigned MaxRounds = 4;

ProjectPass::ProjectPass(const std::vector<SourceUnit> &Units, std::vector<FileFacts> Others,
                         bool UseCache, CheckFunction Check, ForEachFunction ForEach)
    : Others(std::move(Others)), Check(std::move(Check)), ForEach(std::move(ForEach)),
      States(Units.size()) {
  if (UseCache)
    for (size_t I = 0; I < Units.size(); ++I)
      States[I].Cache.emplace(Units[I]);
}

ProjectIndex ProjectPass::index() const {
  ProjectIndex Out;
  for (size_t I = 0; I < States.size(); ++I)
    Out.add(I, States[I].Facts.Facts);
  for (size_t I = 0; I < Others.size(); ++I)
    Out.add(States.size() + I, Others[I]);
  return Out;
}

void ProjectPass::analyze(State &S, const ProjectIndex &Index, size_t Unit) {
  RecordingView View(Index, Unit);
  ProjectContext Context;
  Context.View = &View;
  S.Result = Check(Unit, Context);
  S.Facts = {std::move(S.Result->Facts), std::move(View.Asked)};
  S.IsKnown = true;
  // The facts of a unit with errors depend on files that are not there.
  if (S.Cache && S.Result->Incomplete.empty())
    S.Cache->add(S.Facts, S.Result->Inputs);
}

void ProjectPass::update(State &S, const ProjectIndex &Index, size_t Unit) {
  if (S.IsKnown && holds(S.Facts.Asked, Index, Unit))
    return;
  auto Cached = S.Cache ? S.Cache->find(Index, Unit) : std::nullopt;
  if (!Cached)
    return analyze(S, Index, Unit);
  S.Facts = std::move(*Cached);
  S.Result.reset();
  S.IsKnown = true;
}

/// False when no unit has exported other facts than in the round before.
bool ProjectPass::round() {
  AtRoundStart = index();
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
  unsigned Round = 0;
  while (round() && ++Round < MaxRounds)
    ;
  // With the facts that the last round began with, not with those it exported: where the
  // rounds are cut, the findings must not depend on whose result came from the cache.
  ForEach(States.size(), [&](size_t I) {
    if (!States[I].Result)
      analyze(States[I], AtRoundStart, I);
  });
  std::vector<UnitResult> Out;
  for (State &S : States) {
    S.Result->Facts = std::move(S.Facts.Facts);
    Out.push_back(std::move(*S.Result));
  }
  return Out;
}

} // namespace tensorleak
