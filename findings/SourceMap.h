//===-- SourceMap.h - Findings of a source that lies elsewhere here -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings are often made on one machine and verified on another, with a GPU,
// where the same source lies in another folder.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_SOURCEMAP_H
#define TENSORLEAK_FINDINGS_SOURCEMAP_H

#include "findings/FindingSet.h"

namespace tensorleak {

/// Replaces the folder FROM by TO in every path of \p Set. \p Map is "FROM=TO".
/// \throws std::invalid_argument if it is not of that form.
void mapSources(const std::string &Map, FindingSet &Set);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SOURCEMAP_H
