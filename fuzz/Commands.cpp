//===-- Commands.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compile database, to the commands that are run. LLVM's own reader makes the JSON.
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/CompileCommands.h"
#include "fuzz/FuzzInput.h"

using namespace tensorleak;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::InputFile File(fuzz::text(Data, Size));
  CheckRequest Request;
  Request.BuildDirectory = File.path();
  Request.CudaPath = "none";
  fuzz::readOrRefuse(fuzz::text(Data, Size), [&] {
    for (const SourceUnit &U : unitsOf(Request))
      clangCommand(U);
  });
  return 0;
}
