//===-- FakeAllocator.cpp - LibTorch's caching allocator without a GPU -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only, built as libc10_cuda.so: takes segments of 1 MiB from the (fake) CUDA
// runtime, gives out blocks first fit, and reports each as LibTorch does.
//
//===----------------------------------------------------------------------===//
#include <cstddef>
#include <cstdint>
#include <map>

extern "C" {
int cudaMalloc(void **, size_t);
/// c10::reportMemoryUsageToProfiler(void *, int64_t, size_t, size_t, Device)
void _ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(void *, int64_t, size_t, size_t,
                                                           uint16_t);
void _ZN5torch8autograd23set_default_engine_stubEPFRNS0_6EngineEvE(void *);
/// c10::reportOutOfMemoryToProfiler(int64_t, size_t, size_t, Device)
void _ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE(int64_t, size_t, size_t, uint16_t);
}

namespace {

constexpr size_t SegmentBytes = 1 << 20;
constexpr uint16_t Cuda0 = 1;        ///< type 1, index 0
std::map<char *, size_t> Free, Used; ///< pieces by address; those of two segments never join
std::map<char *, size_t> Segments;
size_t Allocated = 0;

void report(void *Data, int64_t Bytes) {
  _ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(Data, Bytes, Allocated,
                                                        Segments.size() * SegmentBytes, Cuda0);
}

std::map<char *, size_t>::iterator pieceFor(size_t Bytes) {
  for (auto Piece = Free.begin(); Piece != Free.end(); ++Piece)
    if (Piece->second >= Bytes)
      return Piece;
  void *Data = nullptr;
  cudaMalloc(&Data, SegmentBytes);
  Segments[static_cast<char *>(Data)] = SegmentBytes;
  return Free.emplace(static_cast<char *>(Data), SegmentBytes).first;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void fakeImport() {
  _ZN5torch8autograd23set_default_engine_stubEPFRNS0_6EngineEvE(nullptr);
}

extern "C" __attribute__((visibility("default"))) void *fakeAllocate(size_t Bytes) {
  if (Bytes > SegmentBytes) {
    _ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE(int64_t(Bytes), Allocated,
                                                        Segments.size() * SegmentBytes, Cuda0);
    return nullptr;
  }
  auto Piece = pieceFor(Bytes);
  auto [Data, Size] = *Piece;
  Free.erase(Piece);
  if (Size > Bytes)
    Free[Data + Bytes] = Size - Bytes;
  Used[Data] = Bytes;
  Allocated += Bytes;
  report(Data, int64_t(Bytes));
  return Data;
}

extern "C" __attribute__((visibility("default"))) void fakeFree(void *Where) {
  char *Data = static_cast<char *>(Where);
  size_t Bytes = Used[Data];
  Used.erase(Data);
  Allocated -= Bytes;
  auto Next = Free.find(Data + Bytes);
  if (Next != Free.end() && !Segments.count(Next->first)) {
    Free[Data] = Bytes + Next->second;
    Free.erase(Next);
  } else {
    Free[Data] = Bytes;
  }
  report(Data, -int64_t(Bytes));
}
