//===-- Baseline.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/baseline/Baseline.h"
#include "fuzz/FuzzInput.h"

using namespace tensorleak;

static void use(const Baseline &B) {
  Finding F;
  F.Rule = "tensor-graph-cycle";
  F.Where = {"/src/a.cpp", 3, 4};
  FindingSet Found;
  Found.Findings = {F, F};
  updated(B, "/src", Found);
  pruned(B, "/src", Found);
  apply(B, "/src", Found.Findings);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::InputFile File(fuzz::text(Data, Size));
  fuzz::readOrRefuse(fuzz::text(Data, Size), [&] { use(Baseline::read(File.path())); });
  return 0;
}
