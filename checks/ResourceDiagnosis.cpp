//===-- ResourceDiagnosis.cpp ---------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/ResourceDiagnosis.h"

#include "checks/Rules.h"

using namespace clang;

namespace tensorleak {

std::string sized(const Site &S) {
  std::string What = infoOf(S.What).What.str();
  return S.Bytes ? formatBytes(*S.Bytes) + " of " + What : What;
}

void setHolder(Diagnosis &D, const ResourceFacts &Facts, PathId Holder) {
  if (Holder == NoPath)
    return;
  const ValueDecl *V = Facts.Paths.variable(Holder);
  for (PathId P = Holder; Facts.Paths.last(P).What != Step::Root; P = Facts.Paths.parent(P))
    if (Facts.Paths.last(P).What == Step::Field) {
      V = Facts.Paths.last(P).Decl;
      break;
    }
  if (!V)
    return;
  D.Subject.Holder = V->getNameAsString();
  D.Subject.HolderDecl = V->getLocation();
}

Diagnosis diagnosisAt(const Site &S, Level TheLevel, std::string Message) {
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, TheLevel, S.Call->getExprLoc(),
              std::move(Message));
  D.SeesErrors = true; // see mayBeFreedUnseen
  D.Bytes = S.Bytes;
  D.Subject.Producers.push_back(D.Loc);
  if (S.Inner.isValid()) {
    D.Subject.Producers.push_back(S.Inner);
    D.Notes.push_back({S.Inner, "it is allocated here"});
  }
  return D;
}

namespace {

std::string listed(const std::vector<std::string> &Siblings) {
  std::string Text;
  for (size_t I = 0; I < Siblings.size() && I < 2; ++I)
    Text += (I ? ", '" : "'") + Siblings[I] + "'";
  return Siblings.size() > 2 ? Text + " and others" : Text;
}

std::string forgottenMessage(const ForgottenResource &R, const Site &S) {
  std::string Call = infoOf(S.What).Release.str();
  std::string Head = sized(S) + " in '" + R.In->Facts.Paths.text(R.Holder) + "'";
  switch (R.Why) {
  case ForgottenResource::FreeFunction:
    return Head + " is never given back; " + "'" + R.WhereName + "' frees " + listed(R.Siblings) +
           " and forgets it; call '" + Call + "' there";
  case ForgottenResource::NoDestructor:
    return Head + " is never given back: " +
           (R.Where ? "the destructor does not do it" : "the class has no destructor") +
           "; call '" + Call + "' in one";
  case ForgottenResource::Global:
    return Head + " is never given back; nothing in this file calls '" + Call + "' on it";
  }
  return Head;
}

} // namespace

void reportForgotten(const ForgottenResource &R, std::vector<Diagnosis> &Out) {
  const Site &S = R.In->Facts.Sites[R.Site];
  bool IsHost = infoOf(S.What).IsHost;
  if (IsHost && R.Why != ForgottenResource::FreeFunction)
    return;
  Level TheLevel = R.Sure && !IsHost ? Level::Warning : Level::Note;
  Diagnosis D = diagnosisAt(S, TheLevel, forgottenMessage(R, S));
  setHolder(D, R.In->Facts, R.Holder);
  if (R.Where)
    D.Notes.push_back({R.Where->getLocation(), quoted(*R.Where) + " is here"});
  Out.push_back(std::move(D));
}

void reportLate(const FunctionResources &F, const LateRelease &Late, std::vector<Diagnosis> &Out) {
  const BufferLife &Waiting = Late.Waiting;
  std::string Names;
  for (size_t I = 0; I < Late.Dead.size(); ++I)
    Names += (I ? ", " : "") + quoted(*Late.Dead[I].Variable);
  Diagnosis D =
      diagnosisAt(F.Facts.Sites[Waiting.Site], Level::Note,
                  quoted(*Waiting.Variable) + " is not used before " + Names +
                      " had the last use; free first and allocate then, and the peak is " +
                      formatBytes(Late.saved()) + " lower");
  D.TheKind = Kind::Peak;
  D.Bytes = Late.saved();
  D.Subject.Holder = Late.Dead.front().Variable->getNameAsString();
  D.Subject.HolderDecl = Late.Dead.front().Variable->getLocation();
  D.Subject.LastUse = Late.Dead.front().LastUseAt->getBeginLoc();
  for (const BufferLife &Each : Late.Dead)
    D.Notes.push_back(
        {Each.LastUseAt->getBeginLoc(), "the last use of " + quoted(*Each.Variable) + " is here"});
  D.Notes.push_back({Late.Dead.front().FreedAt->getBeginLoc(), "and it is freed here"});
  Out.push_back(std::move(D));
}

} // namespace tensorleak
