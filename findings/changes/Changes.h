//===-- Changes.h - What a change touched, of sources and of findings -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_CHANGES_CHANGES_H
#define TENSORLEAK_FINDINGS_CHANGES_CHANGES_H

#include "findings/Finding.h"

#include <iosfwd>
#include <map>

namespace tensorleak {

/// Of one file as it is now.
struct ChangedFile {
  std::vector<LineRange> Written;  ///< new, or with new text; their File is empty
  std::vector<unsigned> RemovedAt; ///< lines behind which some were removed
  bool Whole = false;              ///< all of it is new
  bool touches(unsigned Line) const;
  bool removesIn(unsigned Begin, unsigned End) const;
};

/// Files by name.
using Changes = std::map<std::string, ChangedFile>;

/// A unified diff, of git or of diff -u, with the names of the new files as it spells them.
/// \throws std::runtime_error with what is wrong with it, to go on after its name.
Changes readUnifiedDiff(std::istream &In);

/// The same with absolute paths: the names are looked for below the folders, with and
/// without git's b/. A file that is not there any more has no findings.
Changes placedIn(const std::vector<std::string> &Folders, const Changes &Named);

/// Whether the change touched the finding's line, a line of its cause (a note, the holder, what
/// makes the tensor), or removed something from its loop.
bool touches(const Changes &C, const Finding &F);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_CHANGES_CHANGES_H
