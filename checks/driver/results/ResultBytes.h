//===-- ResultBytes.h - The result of a unit, as it is kept ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_RESULTS_RESULTBYTES_H
#define TENSORLEAK_CHECKS_DRIVER_RESULTS_RESULTBYTES_H

#include "checks/frontend/parse/SourceUnit.h"
#include <cstdint>
#include <vector>

namespace tensorleak {

using Bytes = std::vector<std::uint8_t>;

Bytes toBytes(const UnitResult &Result);
Bytes toBytes(const FileFacts &Facts);

/// Each throws an exception of nlohmann's where the bytes say something else.
void fromBytes(const Bytes &From, UnitResult &To);
void fromBytes(const Bytes &From, FileFacts &To);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_RESULTS_RESULTBYTES_H
