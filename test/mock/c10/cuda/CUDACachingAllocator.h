//===-- CUDACachingAllocator.h - Stand-in for c10::cuda ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "c10/Core.h"

namespace c10 {
namespace cuda {
namespace CUDACachingAllocator {
void emptyCache();
}
} // namespace cuda
} // namespace c10
