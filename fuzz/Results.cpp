//===-- Results.cpp ------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the cache holds of a file: its result, and what it tells the others.
//
//===----------------------------------------------------------------------===//
#include "checks/driver/results/ResultBytes.h"
#include "fuzz/FuzzInput.h"

using namespace tensorleak;

template <typename T> static void readBack(const Bytes &Entry) try {
  T Value;
  fromBytes(Entry, Value);
  toBytes(Value);
} catch (const nlohmann::json::exception &) { // as ResultCache does: as good as absent
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Bytes Entry(Data, Data + Size);
  readBack<UnitResult>(Entry);
  readBack<FileFacts>(Entry);
  return 0;
}
