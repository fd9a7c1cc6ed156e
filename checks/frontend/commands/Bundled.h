//===-- Bundled.h - Headers of ours that are read with sources --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. Declarations for headers that are not at hand (share/).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_BUNDLED_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_BUNDLED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensorleak {

/// \p Installed, below the folder that this program is installed in; \p InSources where it runs
/// from its build.
std::string bundledFolder(llvm::StringRef Installed, llvm::StringRef InSources);

/// Whether \p Text, a source, has one of \p Names, as of headers. Each folder on the include path
/// is asked for each header of LibTorch's: a source that has no use for one of ours has to be
/// spared that.
bool mentionsAny(llvm::StringRef Text, llvm::ArrayRef<llvm::StringRef> Names);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_BUNDLED_H
