//===-- UnitParser.h - The parses of one unit --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit that lacks headers is parsed again: with the project's folders that have them, and with
// stand-ins for what they would declare.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_UNITPARSER_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_UNITPARSER_H

#include "checks/frontend/errors/StandIns.h"
#include "checks/frontend/parse/Prelude.h"
#include "checks/frontend/parse/UnitAction.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/PCHContainerOperations.h"

namespace tensorleak {

class UnitParser {
public:
  /// What all parses of the unit have in common.
  struct Setting {
    const SourceUnit &TheUnit;
    const UnitOptions &Options;
    const UserCode &Code;
    clang::FileManager &Files;
    RecordingFiles &Recorder;
    const std::shared_ptr<clang::PCHContainerOperations> &Containers;
  };
  using Command = std::shared_ptr<clang::CompilerInvocation>;

  UnitParser(const Setting &Here, ErrorCollector &Errors, UnitResult &Result)
      : Here(Here), Errors(Errors), State{Errors, {}}, Result(Result) {}

  /// Parses, with a prelude where that can be had. The result and the errors are those of the last
  /// parse.
  void parse(const Command &Invocation);
  /// Parses \p Invocation again with folders of the project that have headers which the last parse
  /// lacked, for as long as that finds one.
  void parseWithFolders(const clang::CompilerInvocation &Invocation);
  /// Does what the last parse did again, with stand-ins for the names that missing headers would
  /// declare or the build define, and keeps what left the fewest errors. Names that errors hid show
  /// up one parse later.
  void parseWithStandIns();
  /// Whether what the last parse lacked was declared by a header that is missing, or defined by the
  /// build: a type that many declarations name is no slip of the pen.
  bool lacksDeclarations() const;
  /// How often the unit was parsed so far.
  unsigned parses() const { return Parses; }

private:
  std::unique_ptr<Prelude> findPrelude(const clang::CompilerInvocation &Invocation) const;
  bool isPreludeSuspect() const;
  void parseAsIs(const Command &Invocation);
  bool lacksHeaders() const;
  bool addFolders(clang::CompilerInvocation &Invocation) const;
  bool learn(StandIns &Names) const;

  const Setting Here;
  ErrorCollector &Errors;
  ParseState State;
  UnitResult &Result;
  unsigned Parses = 0;
  Command Last;                   ///< what was parsed last
  std::unique_ptr<Prelude> Start; ///< what that begins with; nobody replaces it meanwhile
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_UNITPARSER_H
