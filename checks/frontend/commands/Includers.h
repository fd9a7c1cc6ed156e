//===-- Includers.h - Which sources include a header ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, before the parse. A header has no compile command: what is to be
// checked for it is the sources that include it. Conditions are not looked at, so that a
// source may be named that includes it under another configuration only.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_INCLUDERS_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_INCLUDERS_H

#include "checks/frontend/commands/Flags.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace tensorleak {

/// Reads each file once, for any number of headers and sources. Headers of the system, of
/// LibTorch and of CUDA include none of the user's, and are not read.
class IncludeGraph {
public:
  /// Of \p Units, those that include \p Header (absolute) or a header below that folder, by
  /// themselves or through others.
  std::vector<SourceUnit> includersOf(llvm::StringRef Header, llvm::ArrayRef<SourceUnit> Units);

private:
  struct Include {
    std::string Name;
    bool Angled;
  };
  const std::vector<Include> &includesOf(llvm::StringRef File);
  bool includes(const SourceUnit &TheUnit, llvm::StringRef Header);

  llvm::StringMap<std::vector<Include>> Includes;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_INCLUDERS_H
