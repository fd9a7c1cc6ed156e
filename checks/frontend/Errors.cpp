//===-- Errors.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/Errors.h"

#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
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

} // namespace

void ErrorCollector::addCommandError(const Diagnostic &Info) {
  if (Command.empty() && !isAboutUnknownFlag(Info))
    Command = textOf(Info);
}

void ErrorCollector::addSourceError(const Diagnostic &Info) {
  if (hasErrors())
    return;
  First = textOf(Info);
  MissingHeader = Info.getID() == diag::err_pp_file_not_found;
  if (!Info.hasSourceManager() || Info.getLocation().isInvalid())
    return;
  const SourceManager &Sources = Info.getSourceManager();
  PresumedLoc Loc = Sources.getPresumedLoc(Sources.getFileLoc(Info.getLocation()));
  if (Loc.isInvalid())
    return;
  File = Loc.getFilename();
  First = File + ":" + std::to_string(Loc.getLine()) + ": " + First;
}

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  if (Level >= DiagnosticsEngine::Error)
    Parsing ? addSourceError(Info) : addCommandError(Info);
}

void ErrorCollector::beginParse() {
  Parsing = true;
  MissingHeader = false;
  First.clear();
  File.clear();
}

} // namespace tensorleak
