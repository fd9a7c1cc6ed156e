//===-- RunVictim.h - Runs a program under the probe, for tests ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a program with the probe preloaded, waits for it, and reads every trace
// that it and its children left.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_RUNTIME_PROBE_RUNVICTIM_H
#define TENSORLEAK_TEST_RUNTIME_PROBE_RUNVICTIM_H

#include "runtime/trace/ProbeConfig.h"
#include "runtime/trace/Reader.h"

#include <map>
#include <string>
#include <vector>

namespace tensorleak::test {

/// A whole trace, records by kind; for those that replace earlier ones, the last.
class RecordedTrace : public trace::TraceVisitor {
public:
  void visit(const trace::Process &R) override { Process = R; }
  void visit(const trace::Module &R) override { Modules.push_back(R); }
  void visit(const trace::Stack &R) override { Stacks[R.Id] = R; }
  void visit(const trace::OpName &R) override { Names[R.Id] = R.Name; }
  void visit(const trace::Site &R) override { Sites[R.Id] = R; }
  /// Of tensors alone: what is taken from malloc is of no interest.
  void visit(const trace::Born &R) override {
    if (Sites[R.SiteId].DeviceType != trace::ProgramHeap && !trace::SampleNumber::is(R.Object))
      Births.push_back(R);
  }
  void visit(const trace::Died &R) override {
    if (!trace::SampleNumber::is(R.Object))
      Deaths.push_back(R);
  }
  void visit(const trace::SiteCounters &R) override {
    if (Sites[R.SiteId].DeviceType != trace::SampledHeap)
      Counters[R.SiteId] = R;
  }
  void visit(const trace::Boundary &R) override { Boundaries.push_back(R); }
  void visit(const trace::LiveMemory &R) override { Live.push_back(R); }
  void visit(const trace::PeakSnapshot &R) override { Peaks[R.DeviceType] = R; }
  void visit(const trace::HookState &R) override { Hooks[R.Name] = R; }
  void visit(const trace::PointState &R) override { Points[R.Id] = R; }
  void visit(const trace::Census &R) override { Censuses.push_back(R); }
  void visit(const trace::HolderPath &R) override { Paths.push_back(R); }
  void visit(const trace::Search &R) override { Searches.push_back(R); }
  void visit(const trace::GraphCycles &R) override { Cycles.push_back(R); }
  void visit(const trace::CycleSample &R) override { CycleSamples.push_back(R); }
  void visit(const trace::Setting &R) override { Settings[R.Name] = R.Value; }
  void visit(const trace::End &R) override { End = R; }

  std::vector<trace::Boundary> boundaries(trace::BoundaryKind Kind) const;

  trace::ReadResult Result;
  trace::Process Process;
  std::vector<trace::Module> Modules;
  std::map<uint64_t, trace::Stack> Stacks;
  std::map<uint64_t, std::string> Names;
  std::map<uint64_t, trace::Site> Sites;
  std::map<uint64_t, trace::SiteCounters> Counters;
  std::map<uint64_t, trace::PointState> Points;
  std::map<uint8_t, trace::PeakSnapshot> Peaks;
  std::map<std::string, trace::HookState> Hooks;
  std::map<std::string, std::string> Settings;
  std::vector<trace::Born> Births;
  std::vector<trace::Died> Deaths;
  std::vector<trace::Boundary> Boundaries;
  std::vector<trace::LiveMemory> Live;
  std::vector<trace::Census> Censuses;
  std::vector<trace::HolderPath> Paths;
  std::vector<trace::Search> Searches;
  std::vector<trace::GraphCycles> Cycles;
  std::vector<trace::CycleSample> CycleSamples;
  trace::End End;
};

struct VictimRun {
  int Status = 0; ///< as waitpid has it
  std::string Output;
  std::vector<RecordedTrace> Traces; ///< that of the program first, then those that it forked
};

/// Runs \p Arguments (the first is the program) with the probe.
VictimRun runUnderProbe(const std::vector<std::string> &Arguments,
                        const std::vector<trace::LinePoint> &Points = {}, bool NoGrad = false);

/// The points of the line of Victim.cpp that carries "// LINE Mark", in \p Module.
std::vector<trace::LinePoint> pointsAt(const std::string &Mark, const std::string &Module,
                                       bool Clock);

} // namespace tensorleak::test

#endif // TENSORLEAK_TEST_RUNTIME_PROBE_RUNVICTIM_H
