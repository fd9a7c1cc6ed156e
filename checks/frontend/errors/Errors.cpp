//===-- Errors.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/Errors.h"

#include "clang/AST/DeclarationName.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace tensorleak {

namespace {

std::string textOf(const Diagnostic &Info) {
  llvm::SmallString<256> Text;
  Info.FormatDiagnostic(Text);
  return Text.str().str();
}

/// Flags of other compilers, or for other machines: they change how code is made,
/// not what it means.
bool isAboutUnknownFlag(const Diagnostic &Info) {
  switch (Info.getID()) {
  case diag::err_drv_unknown_argument:
  case diag::err_drv_unknown_argument_with_suggestion:
  case diag::err_drv_unsupported_opt:
  case diag::err_drv_unsupported_opt_with_suggestion:
  case diag::err_drv_unsupported_opt_for_target:
    return true;
  default:
    return false;
  }
}

/// `override` where the base class is not known: nothing of it is missing in the tree.
bool isAboutOverride(const Diagnostic &Info) {
  return Info.getID() == diag::override_keyword_only_allowed_on_virtual_member_functions ||
         Info.getID() == diag::override_keyword_hides_virtual_member_function;
}

bool isSyntax(const Diagnostic &Info) {
  unsigned Category = DiagnosticIDs::getCategoryNumberForDiag(Info.getID());
  return DiagnosticIDs::getCategoryNameFromID(Category) == "Parse Issue";
}

std::string missingMember(const Diagnostic &Info) {
  bool Lacks = Info.getID() == diag::err_no_member || Info.getID() == diag::err_no_member_suggest;
  if (!Lacks || Info.getArgKind(0) != DiagnosticsEngine::ak_declarationname)
    return "";
  return DeclarationName::getFromOpaqueInteger(Info.getRawArg(0)).getAsString();
}

bool isEndless(const Diagnostic &Info) {
  return Info.getID() == diag::err_template_recursion_depth_exceeded;
}

/// Templates that branch make errors without end before they are too deep.
constexpr unsigned MostErrors = 10000;

} // namespace

void ErrorCollector::addCommandError(const Diagnostic &Info) {
  if (Command.empty() && !isAboutUnknownFlag(Info))
    Command = textOf(Info);
}

void ErrorCollector::addSourceError(const Diagnostic &Info) {
  SourceError Error;
  Error.Text = textOf(Info);
  Error.Loc = Info.getLocation();
  if (Info.getID() == diag::err_pp_file_not_found)
    Error.MissingHeader = Info.getArgStdStr(0);
  Error.IsSyntax = isSyntax(Info);
  Error.MissingMember = missingMember(Info);
  Error.Lacks = lackedName(Info);
  PresumedLoc Place;
  if (Info.hasSourceManager() && Error.Loc.isValid())
    Place = Info.getSourceManager().getPresumedLoc(Info.getSourceManager().getFileLoc(Error.Loc));
  if (Place.isValid()) {
    Error.File = Place.getFilename();
    Error.Text = Error.File + ":" + std::to_string(Place.getLine()) + ": " + Error.Text;
  }
  Errors.push_back(std::move(Error));
}

void ErrorCollector::forget(const std::function<bool(const SourceError &)> &IsHarmless) {
  llvm::erase_if(Errors, IsHarmless);
}

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  if (Engine && (isEndless(Info) || Errors.size() >= MostErrors))
    Engine->setFatalsAsError(false);
  if (Level >= DiagnosticsEngine::Error && !isAboutOverride(Info))
    Parsing ? addSourceError(Info) : addCommandError(Info);
}

void ErrorCollector::goOnAfterFatalErrors(DiagnosticsEngine &ThatReportsHere) {
  Engine = &ThatReportsHere;
  Engine->setFatalsAsError(true);
  Engine->setErrorLimit(MostErrors);
}

void ErrorCollector::beginParse() {
  Engine = nullptr;
  Parsing = true;
  Errors.clear();
}

} // namespace tensorleak
