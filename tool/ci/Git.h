//===-- Git.h - What git says of the sources ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_CI_GIT_H
#define TENSORLEAK_TOOL_CI_GIT_H

#include "findings/changes/Changes.h"

namespace tensorleak {

/// What the working tree has changed since it left \p Revision, with the files that git does
/// not know yet; of a range such as main...topic, what the range changed. Absolute paths.
/// \throws UsageError
Changes changesSince(const std::string &Revision);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_CI_GIT_H
