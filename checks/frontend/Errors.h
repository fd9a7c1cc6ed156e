//===-- Errors.h - The compiler's errors in one unit -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. A unit with errors is analysed as far as it was understood;
// the first error says why the analysis is incomplete.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_H

#include "clang/Basic/Diagnostic.h"
#include <string>

namespace tensorleak {

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// From here on the source is parsed; errors of an earlier parse are forgotten.
  void beginParse();

  bool hasErrors() const { return !First.empty(); }
  /// "file:line: message" of the first error; "" without one.
  const std::string &firstError() const { return First; }
  /// The file that the first error is in; "" where it has no place.
  const std::string &firstFile() const { return File; }
  bool isMissingHeader() const { return MissingHeader; }

  /// What the driver could not make sense of in the command, before the parse.
  const std::string &commandError() const { return Command; }

private:
  void addCommandError(const clang::Diagnostic &Info);
  void addSourceError(const clang::Diagnostic &Info);

  std::string First, File, Command;
  bool MissingHeader = false;
  bool Parsing = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_H
