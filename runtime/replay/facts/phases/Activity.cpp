//===-- Activity.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/phases/Activity.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// So many of the usual paces without an execution are a rest.
constexpr uint64_t PacesOfRest = 8;

uint64_t usualPace(const Beat &B) {
  std::vector<uint64_t> Paces;
  for (size_t I = 1; I < B.At.size(); ++I)
    Paces.push_back(B.At[I] - B.At[I - 1]);
  auto Middle = Paces.begin() + static_cast<std::ptrdiff_t>(Paces.size() / 2);
  std::nth_element(Paces.begin(), Middle, Paces.end());
  return *Middle;
}

bool isIn(uint64_t At, const Spells &Times) {
  auto After = std::upper_bound(Times.begin(), Times.end(), At,
                                [](uint64_t Moment, const Spell &S) { return Moment < S.From; });
  return After != Times.begin() && At <= std::prev(After)->To;
}

/// The times of both.
Spells joined(Spells A, const Spells &B) {
  A.insert(A.end(), B.begin(), B.end());
  std::sort(A.begin(), A.end(), [](const Spell &X, const Spell &Y) { return X.From < Y.From; });
  Spells Out;
  for (const Spell &S : A)
    if (!Out.empty() && S.From <= Out.back().To)
      Out.back().To = std::max(Out.back().To, S.To);
    else
      Out.push_back(S);
  return Out;
}

bool isMostlyIn(const Beat &B, const Activity &A) {
  return 2 * executionsIn(B, A.When) >= B.Stride * B.At.size();
}

} // namespace

Spells spellsOf(const Beat &B) {
  const uint64_t Rest = PacesOfRest * std::max<uint64_t>(1, usualPace(B));
  Spells Out{{B.At.front(), B.At.front()}};
  for (uint64_t At : B.At) {
    if (At - Out.back().To > Rest)
      Out.push_back({At, At});
    Out.back().To = At;
  }
  return Out;
}

uint64_t executionsIn(const Beat &B, const Spells &Times) {
  return B.Stride * uint64_t(std::count_if(B.At.begin(), B.At.end(),
                                           [&Times](uint64_t At) { return isIn(At, Times); }));
}

std::vector<Activity> activitiesOf(Beats OfThread) {
  std::stable_sort(OfThread.begin(), OfThread.end(),
                   [](const Beat *A, const Beat *B) { return A->span() > B->span(); });
  std::vector<Activity> Out;
  for (const Beat *B : OfThread) {
    auto Known =
        std::find_if(Out.begin(), Out.end(), [B](const Activity &A) { return isMostlyIn(*B, A); });
    if (Known == Out.end())
      Known = Out.insert(Out.end(), Activity{});
    Known->Members.push_back(B);
    Known->When = joined(std::move(Known->When), spellsOf(*B));
  }
  return Out;
}

} // namespace tensorleak
