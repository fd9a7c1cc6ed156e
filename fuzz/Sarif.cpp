//===-- Sarif.cpp --------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A SARIF log, and what is done with it: written again in each format.
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"
#include "findings/Json.h"
#include "findings/formats/Formats.h"
#include "fuzz/FuzzInput.h"

#include <sstream>

using namespace tensorleak;

static void writeAgain(const FindingSet &Set) {
  std::ostringstream Out;
  for (const Format &F : allFormats())
    F.Make(Set, ReportContext())->write(Out);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::readOrRefuse(fuzz::text(Data, Size),
                     [&] { writeAgain(fromSarif(parseJson(fuzz::text(Data, Size)), "/src")); });
  return 0;
}
