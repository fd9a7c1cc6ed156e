//===-- Snapshot.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pickle of torch.cuda.memory.
//
//===----------------------------------------------------------------------===//
#include "fuzz/FuzzInput.h"
#include "runtime/record/TorchSnapshot.h"

using namespace tensorleak;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::readOrRefuse(fuzz::text(Data, Size),
                     [&] { recordOfSnapshot(*unpickle(fuzz::text(Data, Size))); });
  return 0;
}
