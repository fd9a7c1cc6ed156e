//===-- NvccLines.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/points/NvccLines.h"

#include "findings/RuleNames.h"

#include <algorithm>
#include <map>
#include <set>

namespace tensorleak {
namespace {

/// A statement seldom has more lines than that.
constexpr unsigned LinesOfStatement = 12;

/// By source: the lines that have code, where nvcc has compiled it. Its columns are left out.
class NvccLines {
public:
  NvccLines(const std::vector<std::string> &Modules, DebugFiles &Files)
      : Modules(Modules), Files(Files) {}

  /// 0 where \p Where has code of its own, or the source is not nvcc's.
  unsigned beginOfStatement(const Location &Where) {
    const std::set<unsigned> &Lines = linesOf(Where.File);
    auto Behind = Lines.upper_bound(Where.Line);
    if (Lines.count(Where.Line) || Behind == Lines.begin())
      return 0;
    const unsigned Begin = *std::prev(Behind);
    return Where.Line - Begin <= LinesOfStatement ? Begin : 0;
  }

private:
  const std::set<unsigned> &linesOf(const std::string &File) {
    auto [Entry, IsNew] = LinesByFile.try_emplace(File);
    if (IsNew)
      for (const std::string &Module : Modules)
        for (const LineRow &Row : Files.open(Module).rowsOf(File))
          if (Row.Column == 0)
            Entry->second.insert(Row.Line);
    return Entry->second;
  }

  const std::vector<std::string> &Modules;
  DebugFiles &Files;
  std::map<std::string, std::set<unsigned>> LinesByFile;
};

} // namespace

void addLinesOfNvcc(std::vector<Finding> &Findings, const std::vector<std::string> &Modules,
                    DebugFiles &Files) {
  NvccLines Lines(Modules, Files);
  for (Finding &F : Findings) {
    if (F.Rule != rules::UnfreedDeviceMemory)
      continue;
    std::vector<Location> &Producers = F.TheSubject.Producers;
    const std::vector<Location> Named = Producers.empty() ? std::vector{F.Where} : Producers;
    for (const Location &Where : Named)
      if (unsigned Begin = Lines.beginOfStatement(Where))
        Producers.push_back({Where.File, Begin, 0});
  }
}

} // namespace tensorleak
