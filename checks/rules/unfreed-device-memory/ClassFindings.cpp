//===-- ClassFindings.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/ClassFindings.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/losses/BareDeletes.h"
#include "checks/resources/losses/EmptiedFirst.h"
#include "checks/resources/losses/FailedSetups.h"
#include "checks/resources/losses/ForgetfulOverrides.h"
#include "checks/resources/losses/NulledMembers.h"
#include "checks/resources/losses/ShrunkContainers.h"
#include "checks/resources/losses/UngivenFields.h"
#include "checks/resources/losses/UnkeptParameters.h"
#include "checks/resources/losses/flags/FlaggedLosses.h"
#include "checks/rules/Rules.h"
#include "checks/rules/unfreed-device-memory/Origins.h"
#include "checks/rules/unfreed-device-memory/ResourceDiagnosis.h"
#include "checks/source/References.h"

using namespace clang;

namespace tensorleak {

/// Something has been said of what stands there.
static bool isSaidThere(const Diagnosis &D, llvm::ArrayRef<Diagnosis> Others) {
  return llvm::any_of(Others, [&](const Diagnosis &Said) { return Said.Loc == D.Loc; });
}

/// A pool that is full and drops what it is given.
static void reportUnkept(const ResourceUnit &U, const UnkeptParameter &Lost,
                         std::vector<Diagnosis> &Out) {
  const FamilyInfo &Info = infoOf(Lost.What);
  const std::string Parameter = quoted(*Lost.Parameter);
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, Level::Warning, Lost.Limit->getBeginLoc(),
              Info.What.str() + " in " + Parameter +
                  " is lost where this condition keeps it out of " + quoted(Lost.Key) +
                  ", and no caller can know that; call '" + Info.Release.str() + "' there");
  D.Notes.push_back({Lost.Stored->getBeginLoc(), "it is kept here otherwise"});
  setHolder(D, *Lost.Parameter);
  if (const auto *Pool = dyn_cast<CXXRecordDecl>(Lost.Key.Owner))
    addOrigins(D, U, *Pool);
  else
    addOrigins(D, U, *cast<ValueDecl>(Lost.Key.Owner));
  Out.push_back(std::move(D));
}

static void reportBareDelete(const BareDelete &Lost, std::vector<Diagnosis> &Out) {
  const RecordTake &T = Lost.Takes.front();
  const Site &S = T.In->Facts.Sites[T.Site];
  const std::string Release = "'" + infoOf(S.What).Release.str() + "'";
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, Lost.Sure ? Level::Warning : Level::Note,
              Lost.At->getBeginLoc(),
              sized(S) + " in " + quoted(Lost.Key) + " goes with the object that " +
                  (isa<CXXConstructExpr>(Lost.At)
                       ? "this pointer deletes; give the pointer a deleter that calls " + Release
                       : "is deleted here; call " + Release + " first, as is done elsewhere"));
  D.Notes.push_back({Lost.GivenAt->getBeginLoc(), "another object's is given back here"});
  for (const RecordTake &Take : Lost.Takes)
    addTaken(D, Take.In->Facts.Sites[Take.Site], quoted(Lost.Key) + " gets it here");
  setHolder(D, *Lost.Key.Chain.back());
  Out.push_back(std::move(D));
}

/// Where nothing else has been said of what is lost there.
static void reportNulled(const NulledMember &Lost, std::vector<Diagnosis> &Out) {
  const FamilyInfo &Info = infoOf(Lost.Takes.front().what());
  const std::string Name = quoted(Lost.Key);
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, Lost.Sure ? Level::Warning : Level::Note,
              Lost.At->getBeginLoc(),
              Info.What.str() + " in " + Name +
                  " is lost where the member is emptied here; call '" + Info.Release.str() +
                  "' first");
  if (isSaidThere(D, Out))
    return;
  for (const RecordTake &Take : Lost.Takes)
    addTaken(D, Take.In->Facts.Sites[Take.Site], Name + " gets it here");
  setHolder(D, *Lost.Key.Chain.back());
  Out.push_back(std::move(D));
}

static void reportFailedSetup(const FailedSetup &Lost, std::vector<Diagnosis> &Out) {
  const ResourceFacts &Facts = Lost.In->Facts;
  const Site &S = Facts.Sites[Lost.Left->Site];
  Diagnosis D = diagnosisAt(S, Lost.Sure ? Level::Warning : Level::Note,
                            sized(S) + " in '" + Facts.Paths.text(Lost.Left->Holder) +
                                "' is left behind where " + quoted(*Facts.Function) +
                                " fails later, and no caller gives it back then; call '" +
                                infoOf(S.What).Release.str() + "' there");
  D.Notes.push_back({Lost.Left->Return->getBeginLoc(), "it fails here"});
  D.Notes.push_back({Lost.Caller->getBeginLoc(), "a caller leaves after that"});
  setHolder(D, Facts, Lost.Left->Holder);
  Out.push_back(std::move(D));
}

static void reportForgetful(const ForgetfulOverride &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.Take.In->Facts.Sites[Lost.Take.Site];
  const std::string Giver = Lost.Gives->getQualifiedNameAsString();
  Diagnosis D =
      diagnosisAt(S, Lost.Sure ? Level::Warning : Level::Note,
                  sized(S) + " in " + quoted(Lost.Key) + " of '" +
                      Lost.Forgets->getParent()->getNameAsString() + "' is never given back: its " +
                      quoted(*Lost.Forgets) + " overrides the only method that does it" +
                      "; call '" + Giver + "' there");
  D.Notes.push_back({Lost.Forgets->getLocation(), "it is overridden here"});
  D.Notes.push_back({Lost.Gives->getLocation(), "this gives it back"});
  setHolder(D, *Lost.Key.Chain.back());
  Out.push_back(std::move(D));
}

/// Where nothing else has been said of what is taken there.
static void reportUngiven(const UngivenField &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.In->Facts.Sites[Lost.Site];
  Diagnosis D = diagnosisAt(S, Level::Note,
                            sized(S) + " in " + quoted(*Lost.Field) +
                                " is never given back: nothing in this file does more with '" +
                                Lost.Field->getQualifiedNameAsString() + "' than use it; call '" +
                                infoOf(S.What).Release.str() + "' on it");
  if (isSaidThere(D, Out))
    return;
  setHolder(D, *Lost.Field);
  Out.push_back(std::move(D));
}

/// "set", or the state that it is in.
static std::string wantedOf(const FlaggedLoss &Lost) {
  if (!Lost.State)
    return "set";
  if (const ValueDecl *Named = variableOrMember(Lost.State))
    return quoted(*Named);
  auto Number = constantIn(Lost.Flag->getASTContext(), Lost.State);
  return Number ? std::to_string(*Number) : "so";
}

static Diagnosis diagnosisOf(const FlaggedLoss &Lost) {
  const Site &S = Lost.Take.In->Facts.Sites[Lost.Take.Site];
  const Level TheLevel = Lost.Sure ? Level::Warning : Level::Note;
  const std::string Asked =
      ": it is given back only where '" + Lost.Flag->getNameAsString() + "' is " + wantedOf(Lost);
  const std::string Call = "; call '" + infoOf(S.What).Release.str() + "' ";
  if (Lost.Why == FlaggedLoss::NotSet) {
    Diagnosis D = diagnosisAt(S, TheLevel,
                              sized(S) + " in " + quoted(Lost.Key) + " is lost where " +
                                  quoted(*Lost.In->Facts.Function) + " leaves early" + Asked +
                                  Call + "there too");
    D.Notes.push_back({Lost.At->getBeginLoc(), "it leaves here"});
    return D;
  }
  if (Lost.Why == FlaggedLoss::NeverSet)
    return diagnosisAt(S, TheLevel,
                       sized(S) + " in " + quoted(Lost.Key) + " is never given back" + Asked +
                           ", and nothing sets that so where " + quoted(*Lost.In->Facts.Function) +
                           " takes it; do so there");
  std::string Says = infoOf(S.What).What.str() + " in " + quoted(Lost.Key);
  Says += Lost.Why == FlaggedLoss::NotTaken
              ? " is lost by this move" + Asked + "; take that over, too"
              : " is lost here" + Asked + Call + "first";
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, TheLevel, Lost.At->getBeginLoc(),
              std::move(Says));
  addTaken(D, S, quoted(Lost.Key) + " gets it here");
  return D;
}

static void reportFlagged(const FlaggedLoss &Lost, std::vector<Diagnosis> &Out) {
  Diagnosis D = diagnosisOf(Lost);
  if (isSaidThere(D, Out))
    return;
  D.Notes.push_back({Lost.Given->getBeginLoc(), "it is given back here, under that condition"});
  setHolder(D, *Lost.Key.Chain.back());
  Out.push_back(std::move(D));
}

static void reportEmptied(const EmptiedFirst &Lost, std::vector<Diagnosis> &Out) {
  const FamilyInfo &Info = infoOf(Lost.What);
  const std::string Name = quoted(*Lost.Place);
  Diagnosis D(
      UnfreedDeviceMemory::Name, Kind::Ownership, Level::Warning, Lost.Emptied->getBeginLoc(),
      Info.What.str() + " is lost here: the loop behind this, which would give it back, finds " +
          Name + " empty; call '" + Info.Release.str() + "' first");
  D.Notes.push_back({Lost.Release->getBeginLoc(), "this never runs"});
  setHolder(D, *Lost.Place);
  Out.push_back(std::move(D));
}

/// A set-up that runs again has one finding, the one that knows most.
static void reportSetUps(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  const std::vector<RefilledMember> Refilled = findRefilledMembers(File);
  for (const RefilledMember &Lost : Refilled)
    reportRefilled(Lost, Out);
  for (const LostMember &Lost : findLostMembers(File))
    if (llvm::none_of(Refilled, [&](const RefilledMember &Said) {
          return Said.In == Lost.In && Said.Site == Lost.Site;
        }))
      reportRefilled(Lost, Out);
}

/// An object that goes without what no function gives back has its finding there.
static void reportBareDeletes(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  for (const BareDelete &Lost : findBareDeletes(File))
    if (llvm::none_of(File.forgotten(), [&](const auto &Said) { return Said.Key == Lost.Key; }))
      reportBareDelete(Lost, Out);
}

void reportClasses(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  for (const ForgottenResource &R : File.forgotten())
    reportForgotten(R, Out);
  reportSetUps(File, Out);
  for (const RemovedEntry &Lost : findRemovedEntries(File))
    reportRemoved(Lost, Out);
  for (const RemovedEntry &Lost : findShrunkContainers(File))
    reportRemoved(Lost, Out);
  for (const UnkeptParameter &Lost : findUnkeptParameters(File))
    reportUnkept(File.resources(), Lost, Out);
  for (const ForgetfulOverride &Lost : findForgetfulOverrides(File))
    reportForgetful(Lost, Out);
  for (const FailedSetup &Lost : findFailedSetups(File))
    reportFailedSetup(Lost, Out);
  reportBareDeletes(File, Out);
  for (const NulledMember &Lost : findNulledMembers(File))
    reportNulled(Lost, Out);
  for (const UnclosedObject &Lost : findUnclosedObjects(File))
    reportUnclosed(Lost, Out);
  for (const AssignedOver &Lost : findAssignedOver(File))
    reportAssignedOver(Lost, Out);
  for (const EmptiedFirst &Lost : findEmptiedFirst(File.resources()))
    reportEmptied(Lost, Out);
  for (const FlaggedLoss &Lost : findFlaggedLosses(File))
    reportFlagged(Lost, Out);
  for (const UngivenField &Lost : findUngivenFields(File))
    reportUngiven(Lost, Out);
}

} // namespace tensorleak
