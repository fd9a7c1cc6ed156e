//===-- ProbeConfig.cpp - What the launcher asks of the probe -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ProbeConfig.h. Compiled into the launcher and into the probe.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/ProbeConfig.h"

#include <sstream>

namespace tensorleak::trace {
namespace {

constexpr const char *FirstLine = "tensorleak-probe 1";

bool parsePoint(std::istringstream &In, LinePoint &Point) {
  std::string Clock;
  In >> Point.Id >> Point.Group >> Clock >> std::hex >> Point.Address >> std::ws;
  std::getline(In, Point.Module);
  Point.Clock = Clock == "clock";
  return !In.bad() && (Point.Clock || Clock == "once") && !Point.Module.empty();
}

bool parseLine(const std::string &Line, ProbeConfig &Config) {
  std::istringstream In(Line);
  std::string Word;
  In >> Word >> std::ws;
  if (Word == "trace")
    return bool(std::getline(In, Config.TracePrefix));
  if (Word == "control")
    return bool(std::getline(In, Config.ControlSocket));
  if (Word == "ask")
    return bool(std::getline(In, Config.QuestionSocket));
  if (Word == "no-grad")
    return Config.NoGrad = true;
  if (Word != "point")
    return false;
  return parsePoint(In, Config.Points.emplace_back());
}

} // namespace

std::string writeProbeConfig(const ProbeConfig &Config) {
  std::ostringstream Out;
  Out << FirstLine << "\ntrace " << Config.TracePrefix << '\n';
  if (!Config.ControlSocket.empty())
    Out << "control " << Config.ControlSocket << '\n';
  if (!Config.QuestionSocket.empty())
    Out << "ask " << Config.QuestionSocket << '\n';
  if (Config.NoGrad)
    Out << "no-grad\n";
  for (const LinePoint &P : Config.Points)
    Out << "point " << std::dec << P.Id << ' ' << P.Group << ' ' << (P.Clock ? "clock" : "once")
        << ' ' << std::hex << P.Address << ' ' << P.Module << '\n';
  return Out.str();
}

std::string parseProbeConfig(const std::string &Text, ProbeConfig &Config) {
  std::istringstream In(Text);
  std::string Line;
  if (!std::getline(In, Line) || Line != FirstLine)
    return "the first line is not \"" + std::string(FirstLine) + "\"";
  for (unsigned Number = 2; std::getline(In, Line); ++Number)
    if (!Line.empty() && !parseLine(Line, Config))
      return "line " + std::to_string(Number) + " is not understood: " + Line;
  return Config.TracePrefix.empty() ? "no line \"trace PREFIX\"" : "";
}

std::string tracePath(const ProbeConfig &Config, uint64_t Pid) {
  return Config.TracePrefix + "." + std::to_string(Pid) + ".tltrace";
}

} // namespace tensorleak::trace
