//===-- BlindSpots.cpp - What a run could not see -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "No growth" must never mean "not watched".
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/Ledger.h"

#include <algorithm>

namespace tensorleak {
namespace {

bool loads(const Recording &R, const char *Library) {
  return std::any_of(R.Modules.begin(), R.Modules.end(), [Library](const trace::Module &M) {
    return M.Path.find(Library) != std::string::npos;
  });
}

uint64_t callsOf(const Recording &R, const char *Hook) {
  auto State = R.Hooks.find(Hook);
  return State == R.Hooks.end() ? 0 : State->second.Calls;
}

void addTorchSpots(const Recording &R, std::vector<std::string> &Out) {
  const trace::Totals &Now = R.Read.Now;
  if (!loads(R, "libtorch") && !loads(R, "libc10"))
    Out.push_back(
        "the program loaded no shared LibTorch; a statically linked one cannot be watched");
  else if (Now.Allocations == 0)
    Out.push_back("LibTorch is loaded, but not one of its allocations was seen: its allocation "
                  "functions could not be hooked");
  else if (Now.Frees == 0 && Now.Allocations > 1000)
    Out.push_back("allocations were seen but no frees: the free function could not be hooked");
}

void addTraceSpots(const Recording &R, std::vector<std::string> &Out) {
  if (R.Read.Flags & trace::TraceFull)
    Out.push_back("the trace reached its size limit or the disk is full; later events are missing");
  if (R.Read.Torn)
    Out.push_back("the end of the trace is damaged");
}

} // namespace

std::vector<std::string> blindSpots(const Recording &R) {
  std::vector<std::string> Out;
  addTorchSpots(R, Out);
  addTraceSpots(R, Out);
  if (callsOf(R, "node-freed") && !callsOf(R, "node-made"))
    Out.push_back("autograd nodes were freed but none was seen being made: that hook did not bind");
  return Out;
}

} // namespace tensorleak
