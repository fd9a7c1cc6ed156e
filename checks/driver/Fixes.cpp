//===-- Fixes.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/Fixes.h"

#include "checks/driver/Project.h"
#include "findings/files/ReplaceFile.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <optional>
#include <system_error>

using namespace clang::tooling;

namespace tensorleak {
namespace {

/// The sources to edit, and what is to be done to them.
class SourceEdits {
public:
  /// False when an edit overlaps one that is there, or its file cannot be read.
  bool add(const Finding &F);
  std::set<std::string> write() const;

private:
  std::optional<Replacement> replacement(const FixIt &Fix);
  const std::string *text(const std::string &File);

  std::map<std::string, std::string> Texts;
  std::map<std::string, Replacements> ByFile;
};

const std::string *SourceEdits::text(const std::string &File) {
  auto It = Texts.find(File);
  if (It != Texts.end())
    return &It->second;
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return nullptr;
  return &Texts.emplace(File, (*Buffer)->getBuffer().str()).first->second;
}

std::optional<unsigned> offsetOf(const std::string &Text, const Location &At) {
  size_t Line = 0;
  for (unsigned N = 1; N < At.Line; ++N) {
    Line = Text.find('\n', Line);
    if (Line == std::string::npos)
      return std::nullopt;
    ++Line;
  }
  size_t Offset = Line + At.Column - 1;
  return Offset <= Text.size() ? std::optional<unsigned>(Offset) : std::nullopt;
}

std::optional<Replacement> SourceEdits::replacement(const FixIt &Fix) {
  const std::string *Text = text(Fix.Begin.File);
  if (!Text)
    return std::nullopt;
  auto Begin = offsetOf(*Text, Fix.Begin), End = offsetOf(*Text, Fix.End);
  if (!Begin || !End || *End < *Begin)
    return std::nullopt;
  return Replacement(Fix.Begin.File, *Begin, *End - *Begin, Fix.Text);
}

bool SourceEdits::add(const Finding &F) {
  std::map<std::string, Replacements> Tried = ByFile;
  for (const FixIt &Fix : F.Fixes) {
    auto Edit = replacement(Fix);
    if (!Edit)
      return false;
    Replacements &OfFile = Tried[Fix.Begin.File];
    bool Known = llvm::is_contained(OfFile, *Edit);
    if (!Known && llvm::errorToBool(OfFile.add(*Edit)))
      return false;
  }
  ByFile = std::move(Tried);
  return true;
}

void overwrite(const std::string &File, const std::string &Text) {
  try {
    replaceFile(File, Text);
  } catch (const std::system_error &E) {
    throw RequestError("'" + File + "' is left as it was: " + E.code().message());
  }
}

std::set<std::string> SourceEdits::write() const {
  std::set<std::string> Files;
  for (const auto &[File, Changes] : ByFile) {
    auto Text = applyAllReplacements(Texts.at(File), Changes);
    if (!Text)
      throw RequestError("'" + File + "' cannot be edited: " + llvm::toString(Text.takeError()));
    overwrite(File, *Text);
    Files.insert(File);
  }
  return Files;
}

} // namespace

FixReport applyFixes(const std::vector<Finding> &Findings) {
  FixReport Report;
  SourceEdits All;
  for (const Finding &F : Findings)
    if (!F.Fixes.empty())
      ++(All.add(F) ? Report.Fixed : Report.Skipped);
  Report.Files = All.write();
  return Report;
}

} // namespace tensorleak
