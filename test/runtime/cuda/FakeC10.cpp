// For tests only, built as libc10.so: what the caching allocator reports to.
#include <cstddef>
#include <cstdint>

extern "C" __attribute__((visibility("default"))) void
_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(void *, int64_t, size_t, size_t, uint16_t) {}

/// What PyTorch calls when it is imported.
extern "C" __attribute__((visibility("default"))) void
_ZN5torch8autograd23set_default_engine_stubEPFRNS0_6EngineEvE(void *) {}

extern "C" __attribute__((visibility("default"))) void
_ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE(int64_t, size_t, size_t, uint16_t) {}
