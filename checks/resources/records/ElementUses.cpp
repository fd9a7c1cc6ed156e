//===-- ElementUses.cpp - Elements that remain when others are freed -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops fill the elements of a member, and the file gives back single ones, or all but some.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/RecordUses.h"

#include "checks/source/Functions.h"
#include "checks/source/Statements.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace tensorleak {

bool RecordUses::isCallees(const HolderUse &Use, const RecordKey &Key) const {
  const FunctionResources *Callee = Unit.calleeOf(Use);
  return Callee && llvm::any_of(Releases, [&](const Release &Own) {
           return Own.In == Callee && Own.Key == Key;
         });
}

/// `while (!all.empty()) { release(all.front()); all.pop(); }`: a callee gives back one element,
/// and each round of the function that took them another.
static bool areGivenInRounds(const RecordTake &T) {
  const Stmt &Body = *T.In->Facts.Function->getBody();
  return llvm::any_of(T.In->Released, [&](const HolderUse &Use) {
    return Use.Site == T.Site && Use.ByCallee && !Use.Element && loopAround(&Body, *Use.At);
  });
}

/// The file gives back single elements, or all but some, and loops have put more there.
bool RecordUses::areRoundsLeft(const RecordKey &Key, const RecordTake &T) const {
  if (areGivenInRounds(T))
    return false;
  const Site &S = T.In->Facts.Sites[T.Site];
  std::set<std::pair<PathId, int64_t>> Places;
  SparedElements Left{ManyElements, ManyElements};
  for (const Release &R : Releases) {
    if (!(R.Key == Key) || isCallees(R.Use, Key))
      continue;
    const auto Spared = S.sparedBy(R.Use.Spared, R.Use.Until);
    if (Spared.areSome())
      Left.meet(Spared);
    else if (!R.Use.Element && !R.In->Facts.Paths.isExact(R.Use.Path))
      return false;
    else
      Places.insert({R.Use.Element ? 0 : R.Use.Path, R.Use.Element.value_or(0)});
  }
  return std::min<uint64_t>(S.several(), uint64_t(Left.AtBegin) + Left.AtEnd) > Places.size();
}

static bool takesByCallOf(const RecordTake &T, const FunctionDecl &F) {
  return isCallOf(*T.In->Facts.Sites[T.Site].Call, F);
}

/// As areRoundsLeft; the loop may be in the callers of a function that fills one element:
/// `for (auto &level : levels) alloc(level);`.
bool RecordUses::areRoundsOfCallersLeft(const RecordKey &Key, const RecordTake &T) const {
  const Site &S = T.In->Facts.Sites[T.Site];
  if (S.several())
    return !S.IntoNamed && areRoundsLeft(Key, T);
  bool IsCalled = false;
  for (const auto &[Filled, Call] : TakesByCallee) {
    if (!(Filled == Key) || !takesByCallOf(Call, *T.In->Facts.Function))
      continue;
    IsCalled = true;
    if (!areRoundsLeft(Key, Call))
      return false;
  }
  return IsCalled;
}

/// What is filled by a call of a function in view is told there, with the loop that does it.
bool RecordUses::areRoundsLeft(const RecordKey &Key) const {
  auto Taken = Takes.find(Key);
  if (Taken == Takes.end())
    return false;
  auto IsCallees = [&](const RecordTake &T) {
    return llvm::any_of(Taken->second, [&](const RecordTake &Own) {
      return Own.In != T.In && takesByCallOf(T, *Own.In->Facts.Function);
    });
  };
  return llvm::all_of(Taken->second, [&](const RecordTake &T) {
    return IsCallees(T) || areRoundsOfCallersLeft(Key, T);
  });
}

/// `buffers[1]`, and no other.
static std::optional<Step> elementAt(const PathTable &Paths, PathId P) {
  const Step &Last = Paths.last(P);
  return Last.What == Step::Elem && Last.Index != Step::Any ? std::optional(Last) : std::nullopt;
}

/// \p T fills one element of an array, and all that the file gives back are others.
bool RecordUses::isElementLeft(const RecordKey &Key, const RecordTake &T) const {
  auto Taken = elementAt(T.In->Facts.Paths, T.Holder);
  return Taken && llvm::all_of(Releases, [&](const Release &R) {
           auto Given = elementAt(R.In->Facts.Paths, R.Use.Path);
           return !(R.Key == Key) || (!R.Use.Element && Given && !(*Given == *Taken));
         });
}

bool RecordUses::isLeft(const RecordKey &Key, const RecordTake &T) const {
  return isElementLeft(Key, T) || areRoundsLeft(Key);
}

bool RecordUses::areOthersLeft(const RecordKey &Key) const {
  auto Taken = Takes.find(Key);
  return Taken != Takes.end() &&
         llvm::any_of(Taken->second, [&](const RecordTake &T) { return isLeft(Key, T); });
}

} // namespace tensorleak
