//===-- LackedName.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/LackedName.h"

#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {
namespace {

std::optional<LackedName::Role> roleIn(unsigned Error) {
  switch (Error) {
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_use:
  case diag::err_no_member:
    return LackedName::Role::Unsaid;
  case diag::err_unknown_typename:
  case diag::err_typename_nested_not_found:
  case diag::err_no_template:
  case diag::err_no_member_template:
  case diag::err_expected_class_name:
    return LackedName::Role::Type;
  case diag::err_expected_namespace_name:
    return LackedName::Role::Namespace;
  case diag::err_ambiguous_reference:
  case diag::err_redefinition:
  case diag::err_redefinition_different_kind:
  case diag::err_redefinition_different_typedef:
  case diag::err_redefinition_different_namespace_alias:
    return LackedName::Role::Clash;
  case diag::err_expected_semi_decl_list:
  case diag::err_expected_fn_body:
    return LackedName::Role::Macro;
  case diag::err_missing_type_specifier:
    return LackedName::Role::NoType;
  case diag::err_typecheck_decl_incomplete_type:
    return LackedName::Role::Incomplete;
  default:
    return std::nullopt;
  }
}

/// Where the error says that the name was looked for; null: nowhere in particular.
const DeclContext *scopeIn(const Diagnostic &Info) {
  for (unsigned I = 0; I < Info.getNumArgs(); ++I) {
    auto Raw = static_cast<intptr_t>(
        Info.getArgKind(I) > DiagnosticsEngine::ak_uint ? Info.getRawArg(I) : 0);
    if (Info.getArgKind(I) == DiagnosticsEngine::ak_declcontext)
      return reinterpret_cast<const DeclContext *>(Raw);
    if (Info.getArgKind(I) == DiagnosticsEngine::ak_qualtype)
      return QualType::getFromOpaquePtr(reinterpret_cast<void *>(Raw))->getAsCXXRecordDecl();
  }
  return nullptr;
}

bool isStandIn(const DeclContext &Scope, const SourceManager &Sources) {
  return Sources.getFilename(cast<Decl>(Scope).getLocation()) == StandInFile;
}

std::vector<std::string> pathOf(const DeclContext &Scope) {
  std::vector<std::string> Path;
  for (const DeclContext *C = &Scope; C && !C->isTranslationUnit(); C = C->getParent())
    if (const auto *Named = dyn_cast<NamedDecl>(C); Named && Named->getIdentifier())
      Path.insert(Path.begin(), Named->getName().str());
  return Path;
}

/// Whether a header that is there says what is in \p Scope; of namespace std it is known where
/// the rest is.
bool isKnownLibrary(const DeclContext &Scope, const SourceManager &Sources) {
  return !Scope.isStdNamespace() && !isStandIn(Scope, Sources) &&
         isInLibraryHeader(cast<Decl>(Scope));
}

void addScope(LackedName &Out, const DeclContext &Scope, const SourceManager &Sources) {
  Out.OfLibrary = isKnownLibrary(Scope, Sources);
  Out.Scope = pathOf(Scope);
  if (Scope.isRecord())
    Out.As = LackedName::Role::Member; // of a class that has a stand-in for its base, too
}

} // namespace

std::optional<LackedName> lackedName(const Diagnostic &Info) {
  std::optional<LackedName::Role> Role = roleIn(Info.getID());
  if (!Role || !Info.hasSourceManager() || Info.getLocation().isInvalid())
    return std::nullopt;
  const SourceManager &Sources = Info.getSourceManager();
  SourceLocation Loc = Sources.getSpellingLoc(Info.getLocation());
  LackedName Out;
  Out.As = *Role;
  if (Token Spelled; *Role != LackedName::Role::Macro) {
    if (Lexer::getRawToken(Loc, Spelled, Sources, LangOptions()) ||
        !Spelled.is(tok::raw_identifier))
      return std::nullopt;
    Out.Name = Spelled.getRawIdentifier().str();
  }
  if (OptionalFileEntryRef File = Sources.getFileEntryRefForID(Sources.getFileID(Loc)))
    Out.File = absolutePath(*File, Sources.getFileManager());
  Out.Offset = Sources.getFileOffset(Loc);
  constexpr LackedName::Role OfScope[] = {LackedName::Role::Unsaid, LackedName::Role::Type};
  if (const DeclContext *Scope = llvm::is_contained(OfScope, *Role) ? scopeIn(Info) : nullptr)
    addScope(Out, *Scope, Sources);
  return Out.File.empty() ? std::nullopt : std::optional(Out);
}

} // namespace tensorleak
