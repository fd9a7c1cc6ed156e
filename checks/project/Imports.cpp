//===-- Imports.cpp  ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/project/Imports.h"

#include "checks/Budgets.h"
#include "checks/facts/Fate.h"
#include "checks/model/ClassNames.h"
#include "checks/project/Portable.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include <stdexcept>

using namespace clang;
using json = nlohmann::json;

namespace tensorleak {

/// An editor's server leaves out the bodies of functions in headers.
static bool hasBodyHere(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  return F.isDefined(Definition) && !Definition->hasSkippedBody();
}

/// Whether another file of the project can hold the body of \p F, or another parse of this one.
static bool isElsewhere(const FunctionDecl &F) {
  return !hasBodyHere(F) && !F.isImplicit() && F.isExternallyVisible() && !isInLibraryHeader(F);
}

static bool isOpenToView(QualType T, unsigned Depth);

/// A record of public members whose methods all have bodies here.
static bool isOpenRecord(const CXXRecordDecl &R, unsigned Depth) {
  const CXXRecordDecl *Class = R.getDefinition();
  return Class && Class->isAggregate() &&
         llvm::all_of(Class->methods(),
                      [](const CXXMethodDecl *M) { return M->isImplicit() || M->hasBody(); }) &&
         llvm::all_of(Class->fields(), [&](const FieldDecl *Member) {
           return isOpenToView(Member->getType(), Depth + 1);
         });
}

/// Tensors, numbers, tuples and containers of such, and plain records: what becomes of the parts of
/// an object can be seen where it is used.
static bool isOpenToView(QualType T, unsigned Depth) {
  if (T->isAnyPointerType() || isOver(Budget::NestedClasses, Depth))
    return false;
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R || isTensorRecord(*R))
    return true;
  if (!R->isInStdNamespace())
    return isOpenRecord(*R, Depth);
  auto Held = typeArguments(*R); // none of std::thread and std::any, which may have anything
  return !Held.empty() && !isOwningPointer(T) && !isFunctionObject(T) &&
         llvm::all_of(Held, [&](QualType Each) { return isOpenToView(Each, Depth + 1); });
}

/// What is returned may hold the arguments, and methods that are not seen may use them: a
/// distribution made from logits. What the parts of other results are computed from, the summary
/// tells.
static bool returnsObject(const FunctionDecl &F) {
  return !isOpenToView(F.getReturnType().getNonReferenceType(), 0);
}

/// What \p Read makes of what another file said. A cache, or another machine's results, may hold
/// anything: what is broken is as good as nothing.
template <class T, class Read> static T orNothing(Read Reader) try {
  return Reader();
} catch (const std::exception &) {
  return T();
}

json Imports::ask(const char *Kind, const Decl &D) {
  std::string Usr = View ? usrOf(D) : "";
  if (Usr.empty())
    return {};
  return orNothing<json>([&] { return View->ask(Kind + Usr); });
}

static std::unique_ptr<ImportedFunction> importedFrom(const json &J, const FunctionDecl &F,
                                                      const DeclIndex &Index) {
  if (J.is_null())
    return nullptr;
  ImportedFunction Out{summaryFrom(J.at("summary"), Index),
                       J.at("parameters").get<std::vector<unsigned>>(), J.at("open"),
                       J.at("builds")};
  if (!isOfParameters(Out.Effects, F.getNumParams()))
    return nullptr;
  Out.ParameterFates.resize(F.getNumParams(), ReachesUnknown);
  return std::make_unique<ImportedFunction>(std::move(Out));
}

static std::unique_ptr<ResourceSummary> resourcesFrom(const json &J, const FunctionDecl &F,
                                                      const DeclIndex &Index) {
  if (J.is_null())
    return nullptr;
  ResourceSummary Out = resourceSummaryFrom(J, Index);
  if (!isOfParameters(Out, F.getNumParams()))
    return nullptr;
  return std::make_unique<ResourceSummary>(std::move(Out));
}

const ImportedFunction *Imports::function(const FunctionDecl &F) {
  if (!View || !isElsewhere(F))
    return nullptr;
  auto [It, New] = Functions.try_emplace(F.getCanonicalDecl());
  if (!New)
    return It->second.get();
  It->second = orNothing<std::unique_ptr<ImportedFunction>>(
      [&] { return importedFrom(ask(FunctionFact, F), F, Index); });
  if (It->second && returnsObject(F)) {
    It->second->BuildsGraph = false; // its methods may differentiate
    for (unsigned &Fate : It->second->ParameterFates)
      Fate |= ReachesUnknown;
  }
  return It->second.get();
}

const ResourceSummary *Imports::resources(const FunctionDecl &F) {
  if (!View || !isElsewhere(F))
    return nullptr;
  auto [It, New] = Resources.try_emplace(F.getCanonicalDecl());
  if (New)
    It->second = orNothing<std::unique_ptr<ResourceSummary>>(
        [&] { return resourcesFrom(ask(ResourcesFact, F), F, Index); });
  return It->second.get();
}

bool RecordElsewhere::takes(const std::string &Member, bool IsHost) const {
  auto It = Taken.find(Member);
  return It != Taken.end() &&
         llvm::any_of(It->second, [&](Family F) { return infoOf(F).IsHost == IsHost; });
}

static std::set<std::string> keysOf(const json &Object) {
  std::set<std::string> Out;
  for (const auto &[Name, Value] : Object.items())
    Out.insert(Name);
  return Out;
}

static Family familyOf(const std::string &Number) {
  unsigned long Value = std::stoul(Number);
  if (Value >= unsigned(Family::Count))
    throw std::out_of_range("no family");
  return Family(Value);
}

/// As Exporter::addRecords writes it.
static RecordElsewhere recordFrom(const json &J) {
  RecordElsewhere Out;
  for (const auto &[Member, Families] : J.at("taken").items())
    for (const std::string &Number : keysOf(Families))
      Out.Taken[Member].insert(familyOf(Number));
  for (const auto &[Function, Members] : J.at("givenBy").items())
    Out.GivenBy[Function] = keysOf(Members);
  Out.Given = keysOf(J.at("given"));
  Out.Open = keysOf(J.at("open"));
  Out.NotAllSeen = keysOf(J.at("unseen"));
  return Out;
}

RecordElsewhere Imports::record(const NamedDecl &Owner) {
  json J = ask(RecordFact, Owner);
  return J.is_null() ? RecordElsewhere()
                     : orNothing<RecordElsewhere>([&] { return recordFrom(J); });
}

static CallContext contextFrom(const json &J) {
  int EntryMode = J.at("mode");
  if (EntryMode < int(Mode::Off) || EntryMode > int(Mode::Either))
    throw std::out_of_range("no mode");
  return {J.at("calls"), J.at("inStepLoop"), Mode(EntryMode), J.at("fate")};
}

CallContext Imports::callsOf(const FunctionDecl &F) {
  json J = F.isExternallyVisible() ? ask(CallsFact, F) : json();
  return J.is_null() ? CallContext() : orNothing<CallContext>([&] { return contextFrom(J); });
}

unsigned Imports::stateOf(const ValueDecl &D) {
  bool IsShared = isa<FieldDecl>(D) || (isa<VarDecl>(D) && D.isExternallyVisible() &&
                                        cast<VarDecl>(D).hasGlobalStorage());
  json J = IsShared ? ask(VariableFact, D) : json();
  return J.is_null() ? 0 : orNothing<unsigned>([&] { return J.get<unsigned>(); });
}

} // namespace tensorleak
