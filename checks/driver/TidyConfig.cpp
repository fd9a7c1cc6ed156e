//===-- TidyConfig.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/TidyConfig.h"

#include "checks/frontend/commands/CheckRequest.h"
#include "checks/source/Paths.h"
#include "clang-tidy/GlobList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <vector>

using namespace llvm;
using clang::tidy::ClangTidyOptions;

namespace tensorleak {
namespace {

/// The first thing that is wrong with a file; what follows it is a consequence.
struct Problem {
  unsigned Line = 0; ///< 0: none
  int Column = 0;
  std::string Message;

  /// Of the file's own mapping, written one key a line.
  bool isUnknownKey() const { return Column == 1 && StringRef(Message).starts_with("unknown key"); }
};

ErrorOr<ClangTidyOptions> parseOnce(StringRef Text, StringRef Path, Problem &First) {
  return clang::tidy::parseConfigurationWithDiags({Text, Path}, [&](const SMDiagnostic &D) {
    if (!First.Line)
      First = {unsigned(D.getLineNo()), D.getColumnNo() + 1, D.getMessage().str()};
  });
}

/// \p Text without the entry of a block mapping that begins in \p Line: its value are the
/// lines below it that are indented, or that begin an item of a list.
std::string withoutEntry(StringRef Text, unsigned Line) {
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  auto *First = Lines.begin() + (Line - 1);
  auto *End = std::find_if(First + 1, Lines.end(), [](StringRef Next) {
    return !Next.trim().empty() && !is_contained(" \t-", Next.front());
  });
  std::fill(First, End, StringRef()); // the lines below keep their numbers
  return join(Lines, "\n");
}

/// The configuration files of all folders that apply to \p File, the nearest first.
std::vector<ClangTidyOptions> filesAbove(StringRef File) {
  std::vector<ClangTidyOptions> Out;
  for (StringRef Folder = sys::path::parent_path(File); !Folder.empty();
       Folder = sys::path::parent_path(Folder)) {
    std::string Path = joinPath(Folder, ".clang-tidy");
    if (!sys::fs::is_regular_file(Path))
      continue;
    auto Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer)
      throw RequestError(Path + " cannot be read: " + Buffer.getError().message());
    if ((*Buffer)->getBuffer().empty()) // an editor may be writing it
      continue;
    Out.push_back(parseTidyConfig((*Buffer)->getBuffer(), Path));
    if (!Out.back().InheritParentConfig.value_or(false))
      break;
  }
  return Out;
}

} // namespace

ClangTidyOptions parseTidyConfig(StringRef Text, StringRef Path) {
  Problem First;
  if (ErrorOr<ClangTidyOptions> Parsed = parseOnce(Text, Path, First))
    return *Parsed;
  std::string Rest = First.isUnknownKey() ? withoutEntry(Text, First.Line) : Text.str();
  if (Rest != Text)
    return parseTidyConfig(Rest, Path);
  throw RequestError(Path.str() + ":" + std::to_string(First.Line) + ":" +
                     std::to_string(First.Column) + ": " + First.Message +
                     "; fix the file, or remove it");
}

ClangTidyOptions tidyConfigFor(StringRef File) {
  ClangTidyOptions Out;
  unsigned Order = 0;
  std::vector<ClangTidyOptions> NearestFirst = filesAbove(File);
  for (const ClangTidyOptions &Config : reverse(NearestFirst))
    Out.mergeWith(Config, ++Order);
  return Out;
}

std::string globsOfOurRules(const ClangTidyOptions &Config) {
  std::string Out;
  const std::string Checks = Config.Checks.value_or("");
  clang::tidy::GlobList Globs(Checks); // refers to it
  for (const auto &Glob : Globs.getItems())
    if (Glob.Text.starts_with("tensor-"))
      Out += (Glob.IsPositive ? "" : "-") + Glob.Text.str() + ",";
  return Out;
}

} // namespace tensorleak
