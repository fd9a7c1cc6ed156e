//===-- PreludeInputs.h - Whether a prelude is still what its headers say ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file beside each prelude has one line for the prelude itself, one for each other file that
// was made with it, and one that names the list of what was read to make it (FileStates.h). Clang's
// own check leaves out system headers, which are most of ours; reading all of the prelude to hash
// it would take longer than many a unit.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_PRELUDEINPUTS_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_PRELUDEINPUTS_H

#include "checks/frontend/cache/RecordingFiles.h"

namespace tensorleak {

/// The content of that file. \p Folder is the cache's; \p Made begins with the prelude.
std::string describeInputs(const FileReads &Read, llvm::StringRef Folder,
                           const std::vector<std::string> &Made);

/// Whether \p PchFile is whole and was made from the headers as they are now.
bool inputsAreUnchanged(const std::string &InputsFile, const std::string &PchFile,
                        FileStates &States);

/// Adds what \p PchFile was made from.
void addInputs(const std::string &InputsFile, FileReads &To);

/// Whether the prelude was made from \p File.
bool preludeReads(llvm::StringRef PchFile, llvm::StringRef File);

/// Whether \p PchFile was made from any header below \p Folder.
bool preludeReadsBelow(llvm::StringRef PchFile, llvm::StringRef Folder);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_PRELUDEINPUTS_H
