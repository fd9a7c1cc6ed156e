//===-- Patch.cpp --------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unified diff.
//
//===----------------------------------------------------------------------===//
#include "findings/changes/Changes.h"
#include "fuzz/FuzzInput.h"

#include <sstream>

using namespace tensorleak;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::istringstream In{std::string(fuzz::text(Data, Size))};
  Finding F;
  F.Where = {"a.cpp", 3, 4};
  fuzz::readOrRefuse(fuzz::text(Data, Size), [&] { touches(readUnifiedDiff(In), F); });
  return 0;
}
