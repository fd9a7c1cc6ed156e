//===-- Trace.cpp --------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace, from its bytes to the verdicts.
//
//===----------------------------------------------------------------------===//
#include "fuzz/FuzzInput.h"
#include "runtime/record/RecordOfRun.h"
#include "runtime/replay/advice/DeviceMemory.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <vector>

using namespace tensorleak;

static void replay(const std::vector<uint8_t> &Trace) {
  Recording R = readRecording(Trace, "trace");
  DebugFiles Files;
  Symbolizer Symbols(R, Files);
  RunFacts Run = buildFacts(R, Symbols);
  unexplainedGrowth(Run, {});
  neverFreed(Run, {});
  describeDeviceMemory(R);
  recordOf(R, Run);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::readOrRefuse(fuzz::text(Data, Size),
                     [&] { replay(std::vector<uint8_t>(Data, Data + Size)); });
  return 0;
}
