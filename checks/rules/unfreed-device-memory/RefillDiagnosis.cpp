//===-- RefillDiagnosis.cpp - What is filled again, in words ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/ResourceDiagnosis.h"

#include "checks/rules/Rules.h"

using namespace clang;

namespace tensorleak {

void reportRefilled(const LostMember &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.In->Facts.Sites[Lost.Site];
  const FamilyInfo &Info = infoOf(S.What);
  if (Lost.Why == LostMember::NeverDeleted || Info.HoldsTensors || Info.IsHost)
    return;
  const bool IsSeen = Lost.Why == LostMember::Overwritten;
  std::string How = IsSeen ? " replaces what it held before, which nothing gives back; call '"
                           : " is taken anew by each call of " + quoted(*Lost.In->Facts.Function) +
                                 ", and a second one for the same object loses the one before; "
                                 "call '";
  Diagnosis D =
      diagnosisAt(S, IsSeen ? Level::Warning : Level::Note,
                  sized(S) + " in " + quoted(*Lost.Member) + How + Info.Release.str() + "' first");
  setHolder(D, *Lost.Member);
  if (Lost.CalledAgain)
    D.Notes.push_back({Lost.CalledAgain->getBeginLoc(), "called here after it was made once"});
  Out.push_back(std::move(D));
}

static std::string howRefilled(const RefilledMember &Lost) {
  switch (Lost.Why) {
  case RefilledMember::BesideOthers:
    return " replaces what it held before, which nothing gives back";
  case RefilledMember::InRing:
    return " replaces what the same element held a round before, which nothing gives back";
  case RefilledMember::UnderKey:
    return " is taken anew by each call of " + quoted(*Lost.In->Facts.Function) +
           ", and a second one for the same element loses the one before";
  case RefilledMember::KeyIsTaken:
    return " is taken by each call of " + quoted(*Lost.In->Facts.Function) +
           ", and one for a key that is there already is lost, as nothing asks whether it was put "
           "there";
  case RefilledMember::WhereFound:
    return " replaces what the element that was found held before, which nothing gives back";
  }
  llvm_unreachable("all reasons are above");
}

static const char *whatIsShown(RefilledMember::Reason Why) {
  switch (Why) {
  case RefilledMember::BesideOthers:
    return "another member is given back here";
  case RefilledMember::InRing:
    return "the position comes round here";
  case RefilledMember::UnderKey:
  case RefilledMember::KeyIsTaken:
    return "callers say here which element it is";
  case RefilledMember::WhereFound:
    return "the element is found here";
  }
  llvm_unreachable("all reasons are above");
}

void reportRefilled(const RefilledMember &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.In->Facts.Sites[Lost.Site];
  Diagnosis D = diagnosisAt(S, Lost.Sure ? Level::Warning : Level::Note,
                            sized(S) + " in " + quoted(*Lost.Member) + howRefilled(Lost) +
                                "; call '" + infoOf(S.What).Release.str() +
                                (Lost.Why == RefilledMember::KeyIsTaken ? "' there" : "' first"));
  setHolder(D, *Lost.Member);
  D.Notes.push_back({Lost.Shown->getBeginLoc(), whatIsShown(Lost.Why)});
  Out.push_back(std::move(D));
}

} // namespace tensorleak
