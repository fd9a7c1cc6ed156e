//===-- SearchPaths.h - Where a command looks for headers -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_SEARCHPATHS_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_SEARCHPATHS_H

#include "checks/frontend/commands/Flags.h"
#include "clang/Lex/HeaderSearchOptions.h"

namespace tensorleak {

/// What a command says of includes; not the folders that the compiler has by itself.
struct SearchPaths {
  clang::HeaderSearchOptions Folders;
  std::vector<std::string> Forced; ///< by `-include`

  /// Relative paths of \p Command are below \p Directory.
  SearchPaths(const CommandLine &Command, llvm::StringRef Directory);
  /// The file that an include of \p Name in \p Includer reads; "" where no folder has it.
  std::string find(llvm::StringRef Name, bool Angled, llvm::StringRef Includer) const;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_SEARCHPATHS_H
