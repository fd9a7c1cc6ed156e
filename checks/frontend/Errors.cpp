//===-- Errors.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/Errors.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace tensorleak {

static std::string place(const Diagnostic &Info) {
  const SourceManager &Sources = Info.getSourceManager();
  PresumedLoc Loc = Sources.getPresumedLoc(Sources.getFileLoc(Info.getLocation()));
  return Loc.isValid() ? std::string(Loc.getFilename()) + ":" + std::to_string(Loc.getLine()) + ": "
                       : std::string();
}

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  if (Level < DiagnosticsEngine::Error)
    return;
  llvm::SmallString<256> Text;
  Info.FormatDiagnostic(Text);
  if (!Info.hasSourceManager() || Info.getLocation().isInvalid()) {
    if (Driver.empty())
      Driver = Text.str().str();
    return;
  }
  ++Count;
  if (!First.empty())
    return;
  First = place(Info) + Text.str().str();
  MissingHeader = Info.getID() == diag::err_pp_file_not_found;
}

void ErrorCollector::reset() {
  First.clear();
  MissingHeader = false;
  Count = 0;
}

} // namespace tensorleak
