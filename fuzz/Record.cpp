//===-- Record.cpp -------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The record of a run: written again, compared with itself, and shown.
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Record.h"
#include "fuzz/FuzzInput.h"
#include "runtime/record/Diff.h"
#include "runtime/record/MemoryViz.h"

using namespace tensorleak;

static void use(const RunRecord &R) {
  toJson(R);
  memoryVizSnapshot(R);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::InputFile File(fuzz::text(Data, Size));
  fuzz::readOrRefuse(fuzz::text(Data, Size), [&] {
    for (const RunRecord &R : readRecords(File.path()))
      use(R);
  });
  return 0;
}
