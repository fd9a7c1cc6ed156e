//===-- Seeds.cpp --------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what the fuzzers begin with: what our writers make of the golden traces.
//
//     fuzz-seeds FOLDER
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"
#include "findings/baseline/Baseline.h"
#include "runtime/record/MemoryViz.h"
#include "runtime/record/RecordOfRun.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <zstd.h>

using namespace tensorleak;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path &File) {
  std::ifstream In(File, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), std::istreambuf_iterator<char>()};
}

std::string unpacked(const std::string &Packed) {
  std::string Out(ZSTD_getFrameContentSize(Packed.data(), Packed.size()), 0);
  ZSTD_decompress(Out.data(), Out.size(), Packed.data(), Packed.size());
  return Out;
}

class SeedWriter {
public:
  explicit SeedWriter(fs::path Folder) : Folder(std::move(Folder)) {}

  void add(const std::string &Trace, const std::string &Name) {
    write("trace", Name, Trace);
    RunRecord Record = recordOfTrace(Trace);
    write("record", Name, toJson(Record).dump());
    write("sarif", Name, toSarif(Record.Findings).dump());
    write("snapshot", Name, memoryVizSnapshot(Record));
    fs::create_directories(Folder / "baseline");
    updated({}, "/", Record.Findings).write(Folder / "baseline" / Name);
  }

private:
  static RunRecord recordOfTrace(const std::string &Trace) {
    Recording R = readRecording({Trace.begin(), Trace.end()}, "trace");
    DebugFiles Files;
    Symbolizer Symbols(R, Files);
    RunFacts Run = buildFacts(R, Symbols);
    RunRecord Out = recordOf(R, Run);
    Out.Findings.Findings = unexplainedGrowth(Run, {});
    return Out;
  }
  void write(const std::string &Target, const std::string &Name, const std::string &Seed) {
    fs::create_directories(Folder / Target);
    std::ofstream(Folder / Target / Name, std::ios::binary) << Seed;
  }

  fs::path Folder;
};

} // namespace

int main(int Count, char *Arguments[]) {
  if (Count != 2) {
    std::cerr << "usage: fuzz-seeds FOLDER\n";
    return 2;
  }
  SeedWriter Seeds(Arguments[1]);
  for (const auto &Entry : fs::directory_iterator(GOLDEN_FOLDER))
    if (Entry.path().extension() == ".zst")
      Seeds.add(unpacked(content(Entry.path())), Entry.path().stem().stem());
}
