//===-- Exports.cpp  ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Exports.h"

#include "checks/flow/callers/NewObjects.h"
#include "checks/project/Portable.h"
#include "checks/questions/KeptValues.h"
#include "checks/rules/retained-activation/Restarts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using json = nlohmann::json;

namespace tensorleak {
namespace {

class Exporter {
public:
  explicit Exporter(FileAnalyses &File)
      : U(File.unit()), Resources(File.resources()), Uses(File.recordUses()) {}
  FileFacts run();

private:
  json factsOf(const FunctionUnit &F) const;
  void addFunction(const FunctionUnit &F);
  void addToInterfaces(const CXXMethodDecl &Method, const json &Known);
  void addCalls(const FunctionUnit &F);
  void addCall(const FunctionDecl &Callee, const FunctionDecl *Caller, const CallContext &Call,
               const char *Kind = CallsFact);
  void addResources();
  void addRecords();
  json &record(const NamedDecl &Owner);
  void addVariables();
  void addRestarts(const FunctionUnit &F);
  bool isOpen(const FunctionUnit &F, llvm::DenseSet<const FunctionUnit *> &Visited) const;

  Unit &U;
  const ResourceUnit &Resources;
  const RecordUses &Uses;
  llvm::DenseSet<const ValueDecl *> Restarted;
  FileFacts Out;
};

bool isExported(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  bool IsLambda = Method && Method->getParent()->isLambda();
  return F.isExternallyVisible() && !F.isMain() && !IsLambda;
}

/// What other files may hold of a call: all of it, or where the callee's body is in a header that
/// they include, the callee. What that header calls by itself they see too.
bool isForOthers(const FunctionDecl &Callee, const FunctionDecl *Caller) {
  const FunctionDecl *Definition = nullptr;
  if (!Callee.isExternallyVisible() || !Callee.isDefined(Definition))
    return Callee.isExternallyVisible();
  const SourceManager &Sources = Callee.getASTContext().getSourceManager();
  auto FileOf = [&](const FunctionDecl &F) {
    return Sources.getFileID(Sources.getExpansionLoc(F.getLocation()));
  };
  FileID Header = FileOf(*Definition);
  return Header != Sources.getMainFileID() && (!Caller || FileOf(*Caller) != Header);
}

bool Exporter::isOpen(const FunctionUnit &F, llvm::DenseSet<const FunctionUnit *> &Visited) const {
  if (!Visited.insert(&F).second)
    return false;
  return llvm::any_of(F.Facts->Events, [&](const Event &E) {
    if (events::has(E.Kind, events::Untold))
      return true;
    const FunctionUnit *Callee = E.Kind == EventKind::UserCall ? U.find(*E.Callee) : nullptr;
    return Callee && isOpen(*Callee, Visited);
  });
}

/// Who knows the interface alone hears what the one class does that implements it: of two that
/// differ, or one that is not understood, nothing.
void Exporter::addToInterfaces(const CXXMethodDecl &Method, const json &Known) {
  for (const CXXMethodDecl *Base : Method.overridden_methods()) {
    addToInterfaces(*Base, Known);
    std::string Usr = Base->isPureVirtual() && isExported(*Base) ? usrOf(*Base) : "";
    if (Usr.empty())
      continue;
    auto [It, IsNew] = Out.try_emplace(FunctionFact + Usr, Known);
    if (!IsNew && It->second != Known)
      It->second = nullptr;
  }
}

/// What others hear of \p F; null where it is not known in full.
json Exporter::factsOf(const FunctionUnit &F) const {
  const FunctionDecl &Function = *F.Facts->Function;
  const Summary *S = U.summaryOf(Function);
  if (!S)
    return nullptr;
  json Fates = json::array();
  for (const ParmVarDecl *Param : Function.parameters())
    Fates.push_back(U.flow().fateOf(*Param) & ~ReachesReturn);
  llvm::DenseSet<const FunctionUnit *> Visited;
  return {{"summary", toJson(*S)},
          {"parameters", Fates},
          {"open", isOpen(F, Visited)},
          {"builds", buildsGraphOverTensors(F) && !U.contains(F, NoId, EventKind::Backward)}};
}

void Exporter::addFunction(const FunctionUnit &F) {
  const FunctionDecl &Function = *F.Facts->Function;
  const json Known = factsOf(F);
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function))
    addToInterfaces(*Method, Known);
  std::string Usr = !Known.is_null() && isExported(Function) ? usrOf(Function) : "";
  if (!Usr.empty())
    Out[FunctionFact + Usr] = Known;
}

void Exporter::addCall(const FunctionDecl &Callee, const FunctionDecl *Caller,
                       const CallContext &Context, const char *Kind) {
  std::string Usr = isForOthers(Callee, Caller) ? usrOf(Callee) : "";
  if (Usr.empty())
    return;
  json Call = {{"calls", Context.Calls},
               {"inStepLoop", Context.InStepLoop},
               {"mode", int(Context.Entry)},
               {"fate", Context.Fate}};
  addFact(Out, Kind + Usr, Call);
}

void Exporter::addCalls(const FunctionUnit &F) {
  for (unsigned I = 0; I < F.Facts->Events.size(); ++I) {
    const Event &E = F.Facts->Events[I];
    const bool IsUnseen = E.Kind == EventKind::Opaque && E.Callee;
    if ((E.Kind == EventKind::UserCall || IsUnseen) && E.In == NoId)
      addCall(*E.Callee, F.Facts->Function,
              {1, U.isStepLoop(F, E.InLoop), Unit::modeAtCall(F, I), U.fateOfResult(F, I)},
              IsUnseen ? UnseenCallsFact : CallsFact);
  }
}

void Exporter::addResources() {
  for (const auto &F : Resources.functions()) {
    const FunctionDecl &Function = *F->Facts.Function;
    std::string Usr = F->Converged && !F->HasErrors && isExported(Function) ? usrOf(Function) : "";
    if (!Usr.empty())
      Out[ResourcesFact + Usr] = toJson(F->Summary);
  }
}

/// Nested objects: those of several files make one, in any order.
json &Exporter::record(const NamedDecl &Owner) {
  json &Known = Out[RecordFact + usrOf(Owner)];
  if (Known.is_null())
    for (const char *Part : {"taken", "given", "givenBy", "open", "unseen"})
      Known[Part] = json::object();
  return Known;
}

void Exporter::addRecords() {
  for (const auto &[Key, Takes] : Uses.Takes)
    for (const RecordTake &T : Takes)
      record(*Key.Owner)["taken"][Key.text()][std::to_string(unsigned(T.what()))] = 1;
  for (const RecordKey &Key : Uses.Given)
    record(*Key.Owner)["given"][Key.text()] = 1;
  for (const auto &[Function, Keys] : Uses.GivenBy)
    for (const RecordKey &Key : Keys) {
      if (Uses.refills(*Function, *Key.Owner))
        continue;
      std::string Name = Function->getNameAsString();
      record(*Key.Owner)["givenBy"][Name][Key.text()] = 1;
      if (Uses.mayReach(*Function, Key))
        record(*Key.Owner)["open"][Name] = 1;
    }
  for (const ValueDecl *D : Uses.NotAllSeen)
    if (const auto *Field = dyn_cast<FieldDecl>(D))
      record(*Field->getParent())["unseen"][Field->getNameAsString()] = 1;
  Out.erase(RecordFact);
}

void Exporter::addVariables() {
  for (const ValueDecl *D : U.sharedVariables()) {
    unsigned Bits = U.flow().fateOf(*D);
    Bits |= isShedInUse(U, *D) || Restarted.count(D) ? IsShrunk : 0u;
    Bits |= U.isFrozenHere(D) ? IsFrozen : 0u;
    if (std::string Usr = Bits ? usrOf(*D) : ""; !Usr.empty())
      Out[VariableFact + Usr] = Bits;
  }
}

/// A variable that begins anew, from something else than what it held, lets go of
/// that: `hidden_ = torch::zeros(...)`.
void Exporter::addRestarts(const FunctionUnit &F) {
  if (isForNewObjects(U, F))
    return;
  for (unsigned I = 0; I < F.Facts->Events.size(); ++I) {
    const Event &E = F.Facts->Events[I];
    if (E.Kind == EventKind::Store && !E.Declares && E.Place != NoId && E.Val != NoId &&
        isa_and_nonnull<FieldDecl>(F.Facts->Places[E.Place].Decl) &&
        !dependsOnItself(*F.Facts, E.Val, E.Place, NoId, /*WithGraph=*/true) &&
        !holdsNothing(U, *F.Facts, I))
      Restarted.insert(F.Facts->Places[E.Place].Decl);
  }
}

FileFacts Exporter::run() {
  for (const FunctionUnit &F : U.functions()) {
    addFunction(F);
    addCalls(F);
    addRestarts(F);
  }
  // What a function with errors calls it may call under any guard.
  for (const FunctionDecl *Callee : U.calledUnseen())
    addCall(*Callee, nullptr, {1, 0, Mode::Either, MayBeDifferentiated});
  addResources();
  addRecords();
  addVariables();
  return std::move(Out);
}

} // namespace

bool isAbout(const std::string &Key, const char *Kind) { return Key.rfind(Kind, 0) == 0; }

FileFacts exportFacts(FileAnalyses &File) { return Exporter(File).run(); }

json mergeFacts(const std::string &Key, const json &A, const json &B) {
  if (isAbout(Key, VariableFact))
    return A.get<unsigned>() | B.get<unsigned>();
  if (isAbout(Key, RecordFact)) {
    json Both = A;
    Both.merge_patch(B);
    return Both;
  }
  if (!isAbout(Key, CallsFact) && !isAbout(Key, UnseenCallsFact))
    return A == B ? A : json(); // two programs with a function of the same name
  Mode InA = Mode(A.at("mode").get<int>()), InB = Mode(B.at("mode").get<int>());
  auto Sum = [&](const char *Field) { return A.at(Field).get<int>() + B.at(Field).get<int>(); };
  return {{"calls", Sum("calls")},
          {"inStepLoop", Sum("inStepLoop")},
          {"mode", int(InA == InB ? InA : Mode::On)},
          {"fate", A.at("fate").get<unsigned>() | B.at("fate").get<unsigned>()}};
}

void addFact(FileFacts &To, const std::string &Key, const json &Value) {
  json &Known = To[Key];
  Known = Known.is_null() ? Value : mergeFacts(Key, Known, Value);
}

} // namespace tensorleak
