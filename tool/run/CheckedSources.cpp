//===-- CheckedSources.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check is a process of its own: what goes wrong in Clang costs no run.
//
//===----------------------------------------------------------------------===//
#include "run/CheckedSources.h"
#include "Command.h"
#include "run/Launch.h"
#include "run/Verification.h"

namespace tensorleak {

/// \p Otherwise: what does not happen where the sources cannot be checked.
static FindingSet findingsOf(const std::string &Build, const std::string &SourceRoot, Level Lowest,
                             const std::string &Otherwise) {
  if (!TENSORLEAK_STATIC)
    throw UsageError("this tensorleak was built without the source checks; run 'tensorleak check "
                     "--format sarif -o FILE' where they are, and give FILE to this command" +
                     Otherwise);
  TemporaryFolder Folder;
  const std::string File = Folder.path() / "found.sarif";
  Launch Check;
  Check.Program = "/proc/self/exe";
  Check.Arguments = {
      "tensorleak", "check", "--of-run", "-p", Build, "--level", std::string(toString(Lowest)),
      "--format",   "sarif", "-o",       File};
  Ending End = launch(Check);
  // Of what it could not read it has said so.
  if (End.ExitCode != ExitClean && End.ExitCode != ExitFindings && End.ExitCode != ExitIncomplete)
    throw UsageError("the sources could not be checked" + Otherwise);
  return readSarifFile(File, SourceRoot);
}

FindingSet checkSources(const std::string &Build, const std::string &SourceRoot) {
  // What the check holds back, since the source alone does not decide it, the run may decide.
  return withHeldBack(
      findingsOf(Build, SourceRoot, Level::Warning, "; the program was not started"));
}

FindingSet checkProject(const std::string &Build, const std::string &SourceRoot) {
  return findingsOf(Build, SourceRoot, Level::Note, "; nothing was written");
}

} // namespace tensorleak
