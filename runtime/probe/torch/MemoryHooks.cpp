//===-- MemoryHooks.cpp - Hooks: every allocation and free of tensor storage ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch's allocators report here unconditionally, on every thread. The
// signatures are those of c10; only plain values cross, so no header is needed.
// Size types changed after 2.0, hence two manglings.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Session.h"

using namespace tensorleak;
using namespace tensorleak::probe;

namespace {

constexpr Device Host{0, -1};

/// Called by the caching allocators under their lock: never calls back into them. A
/// negative size is a free. The CPU allocator reports to its own function.
void onDeviceReport(void *Data, int64_t Bytes, uint64_t Allocated, uint64_t Reserved,
                    Device Where) {
  if (Where.isHost())
    return;
  guarded([&](Session &S, ThreadState &Thread) {
    S.Pools.reported(Where, Allocated, Reserved);
    if (Bytes > 0)
      S.allocated(Thread, Data, uint64_t(Bytes), Where);
    else
      S.freed(Thread, Data);
  });
}

void onOutOfMemory(int64_t Bytes, uint64_t Allocated, uint64_t Reserved, Device Where) {
  guarded([&](Session &S, ThreadState &) {
    S.Pools.reported(Where, Allocated, Reserved);
    S.outOfMemory(Where, uint64_t(Bytes));
  });
}

} // namespace

TENSORLEAK_HOOK(CpuAlloc, "cpu-alloc", _ZN3c1025ProfiledCPUMemoryReporter3NewEPvm)
TENSORLEAK_EXPORT void _ZN3c1025ProfiledCPUMemoryReporter3NewEPvm(void *Self, void *Data,
                                                                  size_t Bytes) {
  callReal<void>(CpuAlloc, Self, Data, Bytes);
  if (Bytes)
    guarded([&](Session &S, ThreadState &Thread) { S.allocated(Thread, Data, Bytes, Host); });
}

TENSORLEAK_HOOK(CpuFree, "cpu-free", _ZN3c1025ProfiledCPUMemoryReporter6DeleteEPv)
TENSORLEAK_EXPORT void _ZN3c1025ProfiledCPUMemoryReporter6DeleteEPv(void *Self, void *Data) {
  if (Data)
    guarded([&](Session &S, ThreadState &Thread) { S.freed(Thread, Data); });
  callReal<void>(CpuFree, Self, Data);
}

TENSORLEAK_HOOK(DeviceOld, "device-memory (to 2.0)",
                _ZN3c1027reportMemoryUsageToProfilerEPvlllNS_6DeviceE)
TENSORLEAK_EXPORT void
_ZN3c1027reportMemoryUsageToProfilerEPvlllNS_6DeviceE(void *Data, int64_t Bytes, int64_t Allocated,
                                                      int64_t Reserved, uint16_t Where) {
  onDeviceReport(Data, Bytes, uint64_t(Allocated), uint64_t(Reserved), Device::fromRegister(Where));
  callReal<void>(DeviceOld, Data, Bytes, Allocated, Reserved, Where);
}

TENSORLEAK_HOOK(DeviceNew, "device-memory", _ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE)
TENSORLEAK_EXPORT void
_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(void *Data, int64_t Bytes, size_t Allocated,
                                                      size_t Reserved, uint16_t Where) {
  onDeviceReport(Data, Bytes, Allocated, Reserved, Device::fromRegister(Where));
  callReal<void>(DeviceNew, Data, Bytes, Allocated, Reserved, Where);
}

TENSORLEAK_HOOK(OutOfMemoryOld, "out-of-memory (to 2.0)",
                _ZN3c1027reportOutOfMemoryToProfilerElllNS_6DeviceE)
TENSORLEAK_EXPORT void _ZN3c1027reportOutOfMemoryToProfilerElllNS_6DeviceE(int64_t Bytes,
                                                                           int64_t Allocated,
                                                                           int64_t Reserved,
                                                                           uint16_t Where) {
  onOutOfMemory(Bytes, uint64_t(Allocated), uint64_t(Reserved), Device::fromRegister(Where));
  callReal<void>(OutOfMemoryOld, Bytes, Allocated, Reserved, Where);
}

TENSORLEAK_HOOK(OutOfMemoryNew, "out-of-memory",
                _ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE)
TENSORLEAK_EXPORT void _ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE(int64_t Bytes,
                                                                           size_t Allocated,
                                                                           size_t Reserved,
                                                                           uint16_t Where) {
  onOutOfMemory(Bytes, Allocated, Reserved, Device::fromRegister(Where));
  callReal<void>(OutOfMemoryNew, Bytes, Allocated, Reserved, Where);
}
