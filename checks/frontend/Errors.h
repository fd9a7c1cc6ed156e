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

  /// "file:line: message" of the first error in the source; "" without one.
  const std::string &firstError() const { return First; }
  /// What the driver said; it matters only where it gave no command at all.
  const std::string &driverError() const { return Driver; }
  bool isMissingHeader() const { return MissingHeader; }
  unsigned count() const { return Count; }
  void reset();

private:
  std::string First, Driver;
  bool MissingHeader = false;
  unsigned Count = 0;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_H
