//===-- Sarif.cpp - Reports as SARIF ---------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"

#include "findings/Json.h"
#include "findings/formats/Formats.h"

namespace tensorleak {

void SarifReport::write(std::ostream &Out) const { printJson(Out, toSarif(Set, Context.Sarif)); }

} // namespace tensorleak
