//===-- Suppressions.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/suppressions/Suppressions.h"
#include "fuzz/FuzzInput.h"

using namespace tensorleak;

static void use(const std::vector<SuppressionLine> &Lines) {
  for (const SuppressionLine &L : Lines)
    for (const char *Name : {"", "a", "train", "/src/train.cpp", "$^*"})
      matchesPattern(L.Pattern, Name);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::InputFile File(fuzz::text(Data, Size));
  fuzz::readOrRefuse(fuzz::text(Data, Size), [&] { use(readSuppressions(File.path())); });
  return 0;
}
