//===-- TidyConfig.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .clang-tidy file.
//
//===----------------------------------------------------------------------===//
#include "checks/driver/TidyConfig.h"
#include "fuzz/FuzzInput.h"

using namespace tensorleak;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Text(fuzz::text(Data, Size));
  fuzz::readOrRefuse(fuzz::text(Data, Size),
                     [&] { globsOfOurRules(parseTidyConfig(Text, "/src/.clang-tidy")); });
  return 0;
}
