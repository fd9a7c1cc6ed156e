//===-- Errors.h - The compiler's errors in one unit -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. A unit with errors is analysed as far as it was understood
// (BrokenCode.h); the first error says why the analysis is incomplete.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_ERRORS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_ERRORS_H

#include "checks/frontend/errors/LackedName.h"
#include "clang/Basic/Diagnostic.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tensorleak {

/// One error in the source.
struct SourceError {
  std::string Text; ///< "file:line: message"
  std::string File; ///< "" where the error has no place
  clang::SourceLocation Loc;
  bool IsSyntax = false;     ///< not a name or type, but the form of the code is wrong
  std::string MissingHeader; ///< its name, where one is not found
  std::string MissingMember; ///< its name, where a class has none
  std::optional<LackedName> Lacks;
};

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// After a missing header too it must be known which functions are whole. What would take all
  /// memory stays fatal: templates that instantiate each other without end, at the second that
  /// goes too deep, and errors without end.
  void goOnAfterFatalErrors(clang::DiagnosticsEngine &Engine);

  /// From here on the source is parsed; errors of an earlier parse are forgotten.
  void beginParse();

  const std::vector<SourceError> &errors() const { return Errors; }

  /// Takes the errors of an earlier parse for those of the last.
  void restore(std::vector<SourceError> Earlier) { Errors = std::move(Earlier); }

  /// Forgets the errors that cost the analysis nothing.
  void forget(const std::function<bool(const SourceError &)> &IsHarmless);

  /// What the driver could not make sense of in the command, before the parse.
  const std::string &commandError() const { return Command; }

private:
  void addCommandError(const clang::Diagnostic &Info);
  void addSourceError(const clang::Diagnostic &Info);

  std::vector<SourceError> Errors;
  std::string Command;
  bool Parsing = false;
  clang::DiagnosticsEngine *Engine = nullptr;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_ERRORS_H
