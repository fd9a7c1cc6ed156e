//===-- DeviceMemory.h - Live, reserved and fragmented memory -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvidia-smi shows as used is what LibTorch's caching allocator has reserved. That
// it grows is only a leak if live memory grows with it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_ADVICE_DEVICEMEMORY_H
#define TENSORLEAK_RUNTIME_REPLAY_ADVICE_DEVICEMEMORY_H

#include "runtime/replay/recording/Recording.h"

namespace tensorleak {

/// A sentence per device that the caching allocator served, and one more if what grows is
/// fragmentation.
std::vector<std::string> describeDeviceMemory(const Recording &R);

/// "; of 14 GiB reserved 10 GiB were live and 4 GiB lay between live blocks ..."; "" if
/// the allocator reported nothing. \p Wanted could not be had.
std::string describePool(const trace::DeviceMemory &Pool, uint64_t Wanted);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_ADVICE_DEVICEMEMORY_H
