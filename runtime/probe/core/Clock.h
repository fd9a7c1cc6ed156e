//===-- Clock.h - How long the probe itself takes --------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_CLOCK_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_CLOCK_H

#include <cstdint>
#include <time.h>

namespace tensorleak::probe {

/// Since some time in the past; never goes back.
inline uint64_t microseconds() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return uint64_t(Now.tv_sec) * 1000000 + uint64_t(Now.tv_nsec) / 1000;
}

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_CLOCK_H
