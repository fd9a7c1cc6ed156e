//===-- UnderstoodFunctions.h - What was understood without stand-ins -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. A function that only stand-ins make whole is not as sure as one
// that is whole in the source.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_UNDERSTOODFUNCTIONS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_UNDERSTOODFUNCTIONS_H

#include "checks/Options.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include <set>
#include <string>
#include <utility>

namespace tensorleak {

class UnderstoodFunctions {
public:
  /// From here on the source has stand-ins.
  void endFirstParse() { IsFirst = false; }

  /// \p IsBroken: parts of it are missing. \p LacksNames: some names in it are not declared.
  Understanding understandingOf(const clang::FunctionDecl &F, bool IsBroken, bool LacksNames,
                                const clang::SourceManager &Sources) {
    if (IsBroken)
      return Understanding::InPart;
    clang::SourceLocation Loc = Sources.getFileLoc(F.getLocation());
    Place Here(Sources.getFilename(Loc).str(), Sources.getFileOffset(Loc));
    if (IsFirst && !LacksNames)
      Whole.insert(Here);
    return Whole.count(Here) ? Understanding::Whole : Understanding::WithStandIns;
  }

private:
  using Place = std::pair<std::string, unsigned>;
  bool IsFirst = true;
  std::set<Place> Whole;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_UNDERSTOODFUNCTIONS_H
