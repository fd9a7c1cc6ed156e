//===-- ResourceDiagnosis.cpp ---------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/ResourceDiagnosis.h"

#include "checks/rules/Rules.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tensorleak {

std::string notAllGivenBack(const Site &S) {
  return " is taken in each round of a loop, and not all of it is given back; call '" +
         infoOf(S.What).Release.str() + "' on each";
}

std::string sized(const Site &S) {
  std::string What = infoOf(S.What).What.str();
  return S.Bytes ? formatBytes(*S.Bytes) + " of " + What : What;
}

void setHolder(Diagnosis &D, const ValueDecl &Holder) {
  D.Subject.Holder = Holder.getNameAsString();
  D.Subject.HolderDecl = Holder.getLocation();
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
  if (V)
    setHolder(D, *V);
}

void addTaken(Diagnosis &D, const Site &S, std::string Note) {
  SourceLocation Loc = S.Call->getExprLoc();
  D.Subject.Producers.push_back(Loc);
  D.Subject.Host |= infoOf(S.What).IsHost || S.What == Family::Owner;
  if (!Note.empty())
    D.Notes.push_back({Loc, std::move(Note)});
  if (S.Inner.isInvalid())
    return;
  D.Subject.Producers.push_back(S.Inner);
  D.Notes.push_back({S.Inner, "it is allocated here"});
}

Diagnosis diagnosisAt(const Site &S, Level TheLevel, std::string Message) {
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, TheLevel, S.Call->getExprLoc(),
              std::move(Message));
  D.SeesErrors = true; // see mayBeFreedUnseen
  D.Bytes = S.Bytes;
  addTaken(D, S, "");
  return D;
}

//===-- What one way out loses ---------------------------------------------===//

namespace {

/// More names would hide the sentence; the notes have them all.
constexpr size_t MaxNames = 4;

/// "a", "a and b", "a, b, c and 3 others".
std::string joined(llvm::ArrayRef<std::string> Words) {
  size_t Shown = Words.size() > MaxNames + 1 ? MaxNames : Words.size();
  std::string Text;
  for (size_t I = 0; I < Shown; ++I)
    Text += (I == 0 ? "" : I + 1 == Words.size() ? " and " : ", ") + Words[I];
  size_t Others = Words.size() - Shown;
  return Others ? Text + " and " + std::to_string(Others) + " others" : Text;
}

class TogetherPhrase {
public:
  TogetherPhrase(const ResourceFacts &Facts, const LostTogether &Each) : Facts(Facts), Each(Each) {}

  const Site &site(const LostResource *L) const { return Facts.Sites[L->Site]; }
  std::string name(const LostResource *L) const { return "'" + Facts.Paths.text(L->Holder) + "'"; }
  std::vector<std::string> names() const;
  bool areSeveral() const { return names().size() > 1; }

  std::optional<int64_t> bytes() const;
  std::string message() const;
  void noteOthers(Diagnosis &D) const;

private:
  /// Without repetition, in their order.
  std::vector<std::string> words(llvm::function_ref<std::string(const LostResource *)> Of) const;
  std::string subject() const;
  std::string kinds() const;

  const ResourceFacts &Facts;
  const LostTogether &Each;
};

std::vector<std::string>
TogetherPhrase::words(llvm::function_ref<std::string(const LostResource *)> Of) const {
  std::vector<std::string> Words;
  for (const LostResource *L : Each.Lost)
    if (std::string Word = Of(L); !llvm::is_contained(Words, Word))
      Words.push_back(std::move(Word));
  return Words;
}

std::vector<std::string> TogetherPhrase::names() const {
  return words([&](const LostResource *L) { return name(L); });
}

/// Of two places that fill one variable, only one may have run.
std::optional<int64_t> TogetherPhrase::bytes() const {
  if (names().size() < Each.Lost.size())
    return std::nullopt;
  int64_t Sum = 0;
  for (const LostResource *L : Each.Lost) {
    if (!site(L).Bytes)
      return std::nullopt;
    Sum += *site(L).Bytes;
  }
  return Sum;
}

/// "12 KiB of device memory", "device memory, a stream", "a stream each".
std::string TogetherPhrase::kinds() const {
  std::vector<std::string> Kinds =
      words([&](const LostResource *L) { return infoOf(site(L).What).What.str(); });
  std::string Text = llvm::join(Kinds, ", ");
  bool IsThing = Kinds.size() == 1 && (Text.rfind("a ", 0) == 0 || Text.rfind("an ", 0) == 0);
  if (IsThing && areSeveral())
    return Text + " each";
  return bytes() ? formatBytes(*bytes()) + " of " + Text : Text;
}

std::string TogetherPhrase::subject() const {
  return areSeveral() ? joined(names()) + " (" + kinds() + ") are"
                      : kinds() + " in " + names().front() + " is";
}

std::string TogetherPhrase::message() const {
  std::string How = Each.Lost.front()->How == LostResource::Thrown
                        ? " lost when the constructor throws: no destructor runs then"
                    : Each.Exit.Throws ? " not given back when this function throws"
                                       : " not given back on every way out";
  std::vector<std::string> Calls =
      words([&](const LostResource *L) { return "'" + infoOf(site(L).What).Release.str() + "'"; });
  return subject() + How + "; call " + joined(Calls) + " there too, or let " +
         (areSeveral() ? "objects own them" : "an object own it");
}

void TogetherPhrase::noteOthers(Diagnosis &D) const {
  for (const LostResource *L : llvm::ArrayRef(Each.Lost).drop_front())
    addTaken(D, site(L), name(L) + " gets " + sized(site(L)) + " here");
}

} // namespace

/// What runs only where \p Exit is taken, and first of that: a `continue` has no code of its own,
/// and several `return` may share theirs.
static SourceLocation beginOfWayOut(const CFG &Cfg, const Stmt &Exit) {
  for (const CFGBlock *Block : Cfg) {
    const Stmt *First = nullptr;
    bool IsIt = Block->getTerminatorStmt() == &Exit;
    for (const CFGElement &Element : *Block)
      if (auto Part = Element.getAs<CFGStmt>()) {
        First = First ? First : Part->getStmt();
        IsIt |= Part->getStmt() == &Exit;
      }
    if (IsIt && First)
      return First->getBeginLoc();
  }
  return Exit.getBeginLoc();
}

Diagnosis diagnosisOf(const ResourceFacts &Facts, const LostTogether &Each, Level TheLevel) {
  TogetherPhrase Phrase(Facts, Each);
  const LostResource *First = Each.Lost.front();
  Diagnosis D = diagnosisAt(Phrase.site(First), TheLevel, Phrase.message());
  setHolder(D, Facts, First->Holder);
  D.Bytes = Phrase.bytes();
  Phrase.noteOthers(D);
  const Stmt *Exit = Each.Exit.At;
  D.Subject.LastUse = Exit ? beginOfWayOut(*Facts.Cfg, *Exit) : Facts.Function->getEndLoc();
  D.Subject.UnseenWay = Each.Exit.ByCallee || (Exit && Exit->getBeginLoc().isMacroID());
  D.Notes.push_back(
      {Exit ? Exit->getBeginLoc() : Facts.Function->getEndLoc(),
       std::string("this way out leaves ") + (Phrase.areSeveral() ? "them" : "it") + " behind"});
  return D;
}

//===-- Members and globals -------------------------------------------------===//

namespace {

std::string listed(const std::vector<std::string> &Siblings) {
  std::string Text;
  for (size_t I = 0; I < Siblings.size() && I < 2; ++I)
    Text += (I ? ", '" : "'") + Siblings[I] + "'";
  return Siblings.size() > 2 ? Text + " and others" : Text;
}

/// It was taken into another member, and has come there later.
bool hasMoved(const ForgottenResource &R) {
  return !R.Key.Chain.empty() && !(keyOf(R.In->Facts, R.Holder) == R.Key);
}

std::string forgottenMessage(const ForgottenResource &R, const Site &S) {
  std::string Call = infoOf(S.What).Release.str();
  std::string Head = sized(S) + " in " +
                     (hasMoved(R) ? quoted(R.Key) : "'" + R.In->Facts.Paths.text(R.Holder) + "'");
  switch (R.Why) {
  case ForgottenResource::FreeFunction:
    return Head + " is never given back; " + "'" + R.WhereName + "' frees " + listed(R.Siblings) +
           " and forgets it; call '" + Call + "' there";
  case ForgottenResource::NoDestructor:
    return Head + " is never given back: " +
           (R.Where ? "the destructor does not do it" : "the class has no destructor") +
           "; call '" + Call + "' in one";
  case ForgottenResource::Global:
    return Head + " is never given back; nothing in this file calls '" + Call + "' on it" +
           (R.EachThread ? ", and each thread that ends leaves its own behind"
            : R.EachCall ? ", and each call of " + quoted(*R.In->Facts.Function) + " takes more"
                         : "");
  case ForgottenResource::Misgiven:
    return Head + " must be given back with '" + Call + "', and another call gets it";
  case ForgottenResource::InPart:
    return Head + (S.several() > 1 ? notAllGivenBack(S)
                                   : " is never given back, and other elements are; call '" + Call +
                                         "' on it too");
  case ForgottenResource::WithRecord:
    return Head + " is never given back: '" + R.WhereName +
           "' gives back the record around it, and not what is in it; call '" + Call + "' before";
  case ForgottenResource::WithThread:
    return Head +
           " is given back only where another takes its place, and each thread that ends "
           "leaves its last one behind; call '" +
           Call + "' in a destructor";
  }
  return Head;
}

const char *whatIsDoneAt(ForgottenResource::WhyKind Why) {
  return Why == ForgottenResource::InPart       ? OnlySingleOnes
         : Why == ForgottenResource::WithRecord ? "the record is given back here"
                                                : "it is given to this call";
}

} // namespace

void reportForgotten(const ForgottenResource &R, std::vector<Diagnosis> &Out) {
  const Site &S = R.In->Facts.Sites[R.Site];
  bool IsHost = infoOf(S.What).IsHost;
  if (infoOf(S.What).HoldsTensors) // see LostMembers.h
    return;
  if (IsHost && R.Why != ForgottenResource::FreeFunction)
    return;
  Level TheLevel = R.Sure && !IsHost ? Level::Warning : Level::Note;
  Diagnosis D = diagnosisAt(S, TheLevel, forgottenMessage(R, S));
  if (hasMoved(R))
    setHolder(D, *R.Key.Chain.back());
  else
    setHolder(D, R.In->Facts, R.Holder);
  if (R.Where && !R.At)
    D.Notes.push_back({R.Where->getLocation(), quoted(*R.Where) + " is here"});
  if (R.At)
    D.Notes.push_back({R.At->getBeginLoc(), whatIsDoneAt(R.Why)});
  Out.push_back(std::move(D));
}

void reportAssignedOver(const AssignedOver &Lost, std::vector<Diagnosis> &Out) {
  const FamilyInfo &Info = infoOf(Lost.Takes.front().what());
  if (Info.IsHost)
    return;
  std::string Name = quoted(*Lost.Member);
  Diagnosis D(UnfreedDeviceMemory::Name, Kind::Ownership, Level::Warning, Lost.At->getBeginLoc(),
              Info.What.str() + " that " + Name +
                  " held is lost here: the destructor gives back only what is assigned; call '" +
                  Info.Release.str() + "' first");
  for (const RecordTake &Take : Lost.Takes)
    addTaken(D, Take.In->Facts.Sites[Take.Site], Name + " gets it here");
  setHolder(D, *Lost.Member);
  Out.push_back(std::move(D));
}

std::string quoted(const RecordKey &Key) {
  return Key.Chain.empty() ? quoted(*cast<ValueDecl>(Key.Owner)) : "'" + Key.text() + "'";
}

void reportRemoved(const RemovedEntry &Lost, std::vector<Diagnosis> &Out) {
  const FamilyInfo &Info = infoOf(Lost.Takes.front().what());
  if (Info.HoldsTensors)
    return;
  const std::string Name = quoted(Lost.Key);
  Diagnosis D(
      UnfreedDeviceMemory::Name, Kind::Ownership, Lost.Sure ? Level::Warning : Level::Note,
      Lost.At->getBeginLoc(),
      Info.What.str() + " in " + Name +
          (Lost.IsCutOff ? " is lost where this makes the container smaller"
           : Lost.IsWhole
               ? " is lost here: nothing gives back what a record holds where it is replaced"
               : " is lost here: what is taken out of a container is not given "
                 "back by that") +
          "; call '" + Info.Release.str() + "' first");
  for (const RecordTake &Take : Lost.Takes)
    addTaken(D, Take.In->Facts.Sites[Take.Site], Name + " gets it here");
  setHolder(D, Lost.holder());
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
  setHolder(D, *Late.Dead.front().Variable);
  D.Subject.LastUse = Late.Dead.front().LastUseAt->getBeginLoc();
  for (const BufferLife &Each : Late.Dead)
    D.Notes.push_back(
        {Each.LastUseAt->getBeginLoc(), "the last use of " + quoted(*Each.Variable) + " is here"});
  D.Notes.push_back({Late.Dead.front().FreedAt->getBeginLoc(), "and it is freed here"});
  Out.push_back(std::move(D));
}

void reportUnclosed(const UnclosedObject &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.Take->In->Facts.Sites[Lost.Take->Site];
  Diagnosis D =
      diagnosisAt(S, Lost.Sure ? Level::Warning : Level::Note,
                  sized(S) + " in '" + Lost.Key.text() + "' is given back by '" +
                      Lost.Closer->getNameAsString() +
                      "' alone, which nobody calls on such an object; call it in the destructor");
  for (const auto &[Key, Take] : Lost.Also) {
    const Site &Other = Take->In->Facts.Sites[Take->Site];
    addTaken(D, Other, "'" + Key.text() + "' gets " + sized(Other) + " here");
  }
  D.Notes.push_back({Lost.Made->getBeginLoc(), "nobody closes this object"});
  D.Notes.push_back({Lost.Closer->getLocation(), "this would give it back"});
  setHolder(D, Lost.Take->In->Facts, Lost.Take->Holder);
  Out.push_back(std::move(D));
}

} // namespace tensorleak
