//===-- PreludeInputs.h - Whether a prelude is still what its headers say ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file beside each prelude has one line for the prelude itself and one per
// header that went into it, with modification time and size. Clang's own check
// leaves out system headers, which are most of ours; reading all of the prelude
// to hash it would take longer than many a unit.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_PRELUDEINPUTS_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_PRELUDEINPUTS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class SourceManager;
}

namespace tensorleak {

/// The content of that file, for the headers that \p Sources has read.
std::string describeInputs(const clang::SourceManager &Sources, const std::string &PchFile);

/// Whether \p PchFile is whole and was made from the headers as they are now.
bool inputsAreUnchanged(const std::string &InputsFile, const std::string &PchFile);

/// Whether the prelude was made from \p File.
bool preludeReads(llvm::StringRef PchFile, llvm::StringRef File);

/// Whether \p PchFile was made from any header below \p Folder.
bool preludeReadsBelow(llvm::StringRef PchFile, llvm::StringRef Folder);

/// Whether the files of \p Inputs, as describeInputs gives it, are as they were.
bool statesAreUnchanged(llvm::StringRef Inputs);

/// "MTIME SIZE" of a file, "" when there is none.
std::string stateOfFile(const std::string &Path);

/// Records that the entry was used just now.
void markUsed(const std::string &InputsFile);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_PRELUDEINPUTS_H
