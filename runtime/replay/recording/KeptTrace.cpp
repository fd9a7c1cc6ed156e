//===-- KeptTrace.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/recording/KeptTrace.h"
#include "runtime/trace/Codec.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

namespace tensorleak {
namespace {

std::vector<uint8_t> contentsOf(const std::string &File) {
  std::ifstream In(File, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), std::istreambuf_iterator<char>()};
}

trace::Symbol symbolOf(uint64_t Call, const std::vector<Frame> &Frames) {
  trace::Symbol Out{Call, {}};
  for (const Frame &F : Frames)
    Out.Frames.push_back({F.Function, F.Where.File, F.Where.Line, F.Where.Column});
  return Out;
}

/// Every call of the user's on a recorded stack.
trace::Bytes symbolsOf(const Recording &R, Symbolizer &Symbols) {
  std::set<uint64_t> Calls;
  for (const auto &[Id, Stack] : R.Stacks)
    for (uint64_t ReturnAddress : Stack.Frames)
      Calls.insert(ReturnAddress - 1);
  for (const trace::Symbol &S : R.Symbols) // those are in the trace
    Calls.erase(S.Address);
  trace::Bytes Out;
  for (uint64_t Call : Calls)
    if (const std::vector<Frame> &Frames = Symbols.framesAt(Call); !Frames.empty())
      trace::appendRecord(Out, symbolOf(Call, Frames));
  return Out;
}

} // namespace

void keepTrace(const std::string &Recorded, const std::string &File, DebugFiles &Files) {
  std::vector<uint8_t> Trace = contentsOf(Recorded);
  Recording R = readRecording(Trace, Recorded);
  Symbolizer Symbols(R, Files);
  trace::Bytes Added = symbolsOf(R, Symbols);
  trace::Prelude Head;
  std::memcpy(&Head, Trace.data(), sizeof(Head));
  Trace.resize(std::min<size_t>(Trace.size(), trace::PreludeSize + Head.Committed));
  Head.Committed = Trace.size() - trace::PreludeSize + Added.size();
  std::memcpy(Trace.data(), &Head, sizeof(Head));
  Trace.insert(Trace.end(), Added.begin(), Added.end());
  std::ofstream Out(File, std::ios::binary);
  Out.write(reinterpret_cast<const char *>(Trace.data()),
            static_cast<std::streamsize>(Trace.size()));
  Out.close();
  if (!Out)
    throw std::runtime_error("cannot write to '" + File + "': " + std::strerror(errno));
}

} // namespace tensorleak
