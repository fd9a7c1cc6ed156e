//===-- LastRun.h - What the last run said, for those who look later -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An editor finds the leaks again that a run has judged, and says what the run said. A verdict
// holds for the source that was run: of a file that was edited since, and of a line that was,
// it is told as what it is.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_LASTRUN_LASTRUN_H
#define TENSORLEAK_FINDINGS_LASTRUN_LASTRUN_H

#include "findings/FindingSet.h"

#include <memory>

namespace tensorleak {

/// Where a run leaves its verdicts for editors, below the top of the sources.
inline constexpr char LastRunFolder[] = ".tensorleak", LastRunFile[] = "verified.sarif";

class LastRun {
public:
  explicit LastRun(FindingSet Judged) : Judged(std::move(Judged)) {}

  /// Of the folder of \p Source (absolute), or the nearest above it that has one; null where
  /// there is none, or none that can be read. It is read again when it has changed. May be
  /// called from several threads.
  static std::shared_ptr<const LastRun> around(const std::string &Source);

  /// What to add to the message of each finding, "" where the run did not speak of it.
  /// \p Hashes: of files as they are now, where that is not what is on the disk.
  std::vector<std::string> remarks(const std::vector<Finding> &Now,
                                   const std::map<std::string, std::string> &Hashes) const;

private:
  FindingSet Judged;
};

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_LASTRUN_LASTRUN_H
