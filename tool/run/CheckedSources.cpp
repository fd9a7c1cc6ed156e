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
namespace {

/// What a command says where the sources cannot be checked.
struct Unchecked {
  const char *HowToGive; ///< findings that were made elsewhere, in the file FILE
  const char *Otherwise; ///< what does not happen
};

FindingSet findingsOf(const std::string &Build, const std::string &SourceRoot, Level Lowest,
                      const Unchecked &Say) {
  if (!TENSORLEAK_STATIC)
    throw UsageError("this tensorleak was built without the source checks; run 'tensorleak check "
                     "--format sarif -o FILE' where they are, and give FILE " +
                     std::string(Say.HowToGive));
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
    throw UsageError(std::string("the sources could not be checked; ") + Say.Otherwise);
  return readSarifFile(File, SourceRoot);
}

} // namespace

FindingSet checkSources(const std::string &Build, const std::string &SourceRoot) {
  // What the check holds back, since the source alone does not decide it, the run may decide.
  return withHeldBack(findingsOf(Build, SourceRoot, Level::Warning,
                                 {"with --findings", "the program was not started"}));
}

FindingSet checkProject(const std::string &Build, const std::string &SourceRoot) {
  return findingsOf(Build, SourceRoot, Level::Note, {"instead of '-p'", "nothing was written"});
}

} // namespace tensorleak
