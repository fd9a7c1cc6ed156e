//===-- RunVictim.cpp - Runs a program under the probe, for tests ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RunVictim.h.
//
//===----------------------------------------------------------------------===//
#include "RunVictim.h"
#include "runtime/replay/debuginfo/DebugInfo.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tensorleak::test {
namespace {

namespace fs = std::filesystem;

std::string slurp(int Descriptor) {
  std::string Text;
  char Buffer[4096];
  for (ssize_t Size; (Size = read(Descriptor, Buffer, sizeof(Buffer))) > 0;)
    Text.append(Buffer, size_t(Size));
  return Text;
}

[[noreturn]] void become(const std::vector<std::string> &Arguments, int Out,
                         const std::string &Config) {
  dup2(Out, 1);
  dup2(Out, 2);
  setenv(trace::ProbeConfigVariable, Config.c_str(), 1);
  setenv("LD_PRELOAD", PROBE, 1);
  std::vector<char *> Raw;
  for (const std::string &A : Arguments)
    Raw.push_back(const_cast<char *>(A.c_str()));
  Raw.push_back(nullptr);
  execvp(Raw[0], Raw.data());
  _exit(127);
}

/// A folder that is gone at the end.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string Template = fs::temp_directory_path() / "tensorleak-probe-XXXXXX";
    Path = mkdtemp(Template.data());
  }
  ~TemporaryFolder() { fs::remove_all(Path); }
  fs::path Path;
};

/// The numbers of processes begin anew now and then: a child's can be the lower one.
std::vector<RecordedTrace> readTraces(const fs::path &Folder) {
  std::vector<fs::path> Files;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Folder))
    if (Entry.path().extension() == ".tltrace")
      Files.push_back(Entry.path());
  std::sort(Files.begin(), Files.end());
  std::vector<RecordedTrace> Traces(Files.size());
  for (size_t I = 0; I < Files.size(); ++I)
    Traces[I].Result = trace::readTrace(Files[I].string(), Traces[I]);
  std::stable_partition(Traces.begin(), Traces.end(), [](const RecordedTrace &T) {
    return T.Process.ParentPid == uint64_t(getpid());
  });
  return Traces;
}

unsigned lineOf(const std::string &Mark) {
  std::ifstream Source(VICTIM_SOURCE);
  unsigned Number = 0;
  for (std::string Line; std::getline(Source, Line);) {
    ++Number;
    std::string Tail = "// LINE " + Mark;
    if (Line.size() >= Tail.size() && !Line.compare(Line.size() - Tail.size(), Tail.size(), Tail))
      return Number;
  }
  return 0;
}

} // namespace

std::vector<trace::Boundary> RecordedTrace::boundaries(trace::BoundaryKind Kind) const {
  std::vector<trace::Boundary> Some;
  for (const trace::Boundary &B : Boundaries)
    if (B.TheKind == Kind)
      Some.push_back(B);
  return Some;
}

VictimRun runUnderProbe(const std::vector<std::string> &Arguments,
                        const std::vector<trace::LinePoint> &Points, bool NoGrad) {
  TemporaryFolder Folder;
  trace::ProbeConfig Config;
  Config.TracePrefix = Folder.Path / "t";
  Config.Points = Points;
  Config.NoGrad = NoGrad;
  std::string ConfigPath = Folder.Path / "config";
  std::ofstream(ConfigPath) << trace::writeProbeConfig(Config);
  int Pipe[2];
  if (pipe(Pipe) != 0)
    return {};
  pid_t Child = fork();
  if (Child == 0)
    become(Arguments, Pipe[1], ConfigPath);
  close(Pipe[1]);
  VictimRun Run;
  Run.Output = slurp(Pipe[0]);
  close(Pipe[0]);
  waitpid(Child, &Run.Status, 0);
  Run.Traces = readTraces(Folder.Path);
  return Run;
}

std::vector<trace::LinePoint> pointsAt(const std::string &Mark, const std::string &Module,
                                       bool Clock) {
  std::vector<trace::LinePoint> Points;
  DebugInfo Info(Module);
  unsigned Line = lineOf(Mark);
  for (const LineRow &Row : Info.rowsOf(fs::canonical(VICTIM_SOURCE)))
    if (Row.Line == Line && Row.StartsStatement)
      Points.push_back({Points.size() + 1, Line, Clock, Row.Address, Module});
  return Points;
}

} // namespace tensorleak::test
