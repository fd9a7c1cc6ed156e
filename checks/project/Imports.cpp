//===-- Imports.cpp  ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/project/Imports.h"

#include "checks/facts/Fate.h"
#include "checks/model/ClassNames.h"
#include "checks/project/Portable.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

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
  const SourceManager &Sources = F.getASTContext().getSourceManager();
  return !hasBodyHere(F) && !F.isImplicit() && F.isExternallyVisible() &&
         !isLibraryHeader(Sources, F.getLocation());
}

/// What is returned may hold the arguments: a distribution made from logits. What a tensor is
/// computed from, the summary tells.
static bool returnsObject(const FunctionDecl &F) {
  QualType Returned = F.getReturnType().getNonReferenceType();
  const CXXRecordDecl *R = Returned->getAsCXXRecordDecl();
  return (R && !isTensorRecord(*R)) || Returned->isAnyPointerType();
}

json Imports::ask(const char *Kind, const Decl &D) {
  std::string Usr = View ? usrOf(D) : "";
  return Usr.empty() ? json() : View->ask(Kind + Usr);
}

const ImportedFunction *Imports::function(const FunctionDecl &F) {
  if (!View || !isElsewhere(F))
    return nullptr;
  auto [It, New] = Functions.try_emplace(F.getCanonicalDecl());
  json J = New ? ask(FunctionFact, F) : json();
  if (!J.is_null())
    It->second = std::make_unique<ImportedFunction>(
        ImportedFunction{summaryFrom(J.at("summary"), Index),
                         J.at("parameters").get<std::vector<unsigned>>(), J.at("open")});
  if (It->second && New && returnsObject(F))
    for (unsigned &Fate : It->second->ParameterFates)
      Fate |= ReachesUnknown;
  return It->second.get();
}

const ResourceSummary *Imports::resources(const FunctionDecl &F) {
  if (!View || !isElsewhere(F))
    return nullptr;
  auto [It, New] = Resources.try_emplace(F.getCanonicalDecl());
  json J = New ? ask(ResourcesFact, F) : json();
  if (!J.is_null())
    It->second = std::make_unique<ResourceSummary>(resourceSummaryFrom(J, Index));
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

/// As Exporter::addRecords writes it.
RecordElsewhere Imports::record(const NamedDecl &Owner) {
  RecordElsewhere Out;
  json J = ask(RecordFact, Owner);
  if (J.is_null())
    return Out;
  for (const auto &[Member, Families] : J.at("taken").items())
    for (const std::string &Number : keysOf(Families))
      Out.Taken[Member].insert(Family(std::stoul(Number)));
  for (const auto &[Function, Members] : J.at("givenBy").items())
    Out.GivenBy[Function] = keysOf(Members);
  Out.Given = keysOf(J.at("given"));
  Out.Open = keysOf(J.at("open"));
  Out.NotAllSeen = keysOf(J.at("unseen"));
  return Out;
}

CallContext Imports::callsOf(const FunctionDecl &F) {
  json J = F.isExternallyVisible() ? ask(CallsFact, F) : json();
  if (J.is_null())
    return {};
  return {J.at("calls"), J.at("inStepLoop"), Mode(J.at("mode").get<int>()), J.at("fate")};
}

unsigned Imports::stateOf(const ValueDecl &D) {
  bool IsShared = isa<FieldDecl>(D) || (isa<VarDecl>(D) && D.isExternallyVisible() &&
                                        cast<VarDecl>(D).hasGlobalStorage());
  json J = IsShared ? ask(VariableFact, D) : json();
  return J.is_null() ? 0 : J.get<unsigned>();
}

} // namespace tensorleak
