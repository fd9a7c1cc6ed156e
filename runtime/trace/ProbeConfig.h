//===-- ProbeConfig.h - What the launcher asks of the probe ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launcher writes a small text file and names it in the environment variable
// TENSORLEAK_PROBE; without it the probe does nothing. One entry per line:
//
//   tensorleak-probe 1
//   trace PREFIX                 the trace of process N goes to PREFIX.N.tltrace
//   control PATH                 attached: the socket of the tool (AttachChannel.h)
//   ask PATH                     the socket at which it judges scopes (Questions.h)
//   no-grad                      what-if run: gradients are switched off
//   point ID GROUP clock|once ADDRESS MODULE
//
// A point is a statement's first instruction: a link-time address (hexadecimal, as
// DWARF has it) in the file MODULE (an absolute path; the rest of the line). "once"
// points cost nothing after the first hit of a generation. "clock" points are
// counted each time and are step boundaries of last resort. Addresses that belong
// to one line share a GROUP: a round ends when an address of the group that ran
// already in this round runs again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_PROBECONFIG_H
#define TENSORLEAK_RUNTIME_TRACE_PROBECONFIG_H

#include <cstdint>
#include <string>
#include <vector>

namespace tensorleak::trace {

constexpr const char *ProbeConfigVariable = "TENSORLEAK_PROBE";

struct LinePoint {
  uint64_t Id = 0;
  uint64_t Group = 0;
  bool Clock = false;
  uint64_t Address = 0;
  std::string Module;
};

struct ProbeConfig {
  std::string TracePrefix, ControlSocket, QuestionSocket;
  bool NoGrad = false;
  std::vector<LinePoint> Points;
};

/// The text of \p Config.
std::string writeProbeConfig(const ProbeConfig &Config);

/// Reads \p Text into \p Config; returns "" or one sentence on what is wrong.
std::string parseProbeConfig(const std::string &Text, ProbeConfig &Config);

/// The trace that process \p Pid writes.
std::string tracePath(const ProbeConfig &Config, uint64_t Pid);

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_PROBECONFIG_H
