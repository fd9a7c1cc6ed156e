//===-- UnitAction.h - One parse of one unit, and its analysis --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. What the compiler runs: the user's declarations are collected
// while the file is parsed, and analysed at its end.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_UNITACTION_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_UNITACTION_H

#include "checks/frontend/errors/Errors.h"
#include "checks/frontend/errors/UnderstoodFunctions.h"
#include "checks/frontend/parse/SourceUnit.h"
#include "checks/source/UserCode.h"
#include "clang/Frontend/FrontendAction.h"

namespace tensorleak {

/// What the parses of one unit know of each other.
struct ParseState {
  ErrorCollector &Errors;
  UnderstoodFunctions Functions;
};

class UnitFrontendAction : public clang::ASTFrontendAction {
public:
  UnitFrontendAction(const UserCode &Code, const UnitOptions &Options, ParseState &State,
                     UnitResult &Result)
      : Code(Code), Options(Options), State(State), Result(Result) {}

  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &Compiler,
                                                        llvm::StringRef) override;

private:
  const UserCode &Code;
  const UnitOptions &Options;
  ParseState &State;
  UnitResult &Result;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_UNITACTION_H
