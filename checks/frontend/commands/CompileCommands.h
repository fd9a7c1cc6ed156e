//===-- CompileCommands.h - Which units the user asked for -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, the first. From paths, flags and a compile database to the
// compile commands to run. Never guesses a command: an analysis with the wrong
// flags looks clean.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_COMPILECOMMANDS_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_COMPILECOMMANDS_H

#include "checks/frontend/commands/CheckRequest.h"
#include "checks/frontend/commands/Flags.h"
#include "llvm/ADT/StringRef.h"

namespace tensorleak {

/// The units of \p Request, sorted by file, equal commands once.
/// \throws RequestError
std::vector<SourceUnit> unitsOf(const CheckRequest &Request);

/// The compile database that is nearest at or above \p Path (absolute), or in a folder `build`
/// there; "" if there is none.
std::string nearestDatabase(llvm::StringRef Path);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_COMPILECOMMANDS_H
