//===-- LineHash.h - Lines known by what they say -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_SARIF_LINEHASH_H
#define TENSORLEAK_FINDINGS_SARIF_LINEHASH_H

#include <string>
#include <string_view>
#include <vector>

namespace tensorleak {

/// What GitHub calls primaryLocationLineHash, of each line of a text. It is computed where
/// a log is uploaded too, and both have to agree: of the hundred UTF-16 units from the line's
/// beginning on that are no blanks, with a number that counts lines that look alike.
std::vector<std::string> lineHashes(std::string_view Text);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SARIF_LINEHASH_H
