//===-- Injection.cpp - The driver's calls, by CUPTI -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded by the CUDA driver through CUDA_INJECTION64_PATH, for programs whose CUDA
// runtime is linked statically (nvcc's default) and for the driver API. Every call of
// the runtime ends in one of the driver's. CUPTI is opened at run time and declared
// here as far as it is used; numbers are those of cupti_driver_cbid.h, where they only
// ever grow.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/cuda/CudaCalls.h"
#include "runtime/probe/torch/Hooks.h"

#include <dlfcn.h>

using namespace tensorleak;
using namespace tensorleak::probe;
using trace::CudaObject;

namespace {

struct CallbackData {
  int Site; ///< 0 before the call, 1 after it
  const char *Function;
  const void *Parameters;
  const void *Result; ///< CUresult, after the call
};
using Callback = void (*)(void *, int, uint32_t, const CallbackData *);
using SubscribeFn = int (*)(void **, Callback, void *);
using EnableFn = int (*)(uint32_t, void *, int, uint32_t);

constexpr int DriverApi = 1, AfterCall = 1;
constexpr int MultipleSubscribers = 39;

/// All functions that make something have a pointer to it first, and its size second.
struct MakeParameters {
  void *const *Object;
  uint64_t Bytes;
};
struct PitchParameters {
  void *const *Object;
  const size_t *Pitch;
  size_t Width, Height;
};
struct FreeParameters {
  const void *Object;
};

enum class Effect : uint8_t { Makes, MakesPitched, MakesHandle, Frees };
struct DriverCall {
  uint32_t Id;
  Effect TheEffect;
  CudaObject Kind;
};

constexpr DriverCall Calls[] = {
    {243, Effect::Makes, CudaObject::DeviceMemory},        // cuMemAlloc_v2
    {244, Effect::MakesPitched, CudaObject::DeviceMemory}, // cuMemAllocPitch_v2
    {245, Effect::Frees, CudaObject::DeviceMemory},        // cuMemFree_v2
    {371, Effect::Makes, CudaObject::DeviceMemory},        // cuMemAllocManaged
    {549, Effect::Makes, CudaObject::DeviceMemory},        // cuMemCreate
    {550, Effect::Frees, CudaObject::DeviceMemory},        // cuMemRelease
    {598, Effect::Makes, CudaObject::DeviceMemory},        // cuMemAllocAsync
    {599, Effect::Makes, CudaObject::DeviceMemory},        // cuMemAllocAsync_ptsz
    {600, Effect::Frees, CudaObject::DeviceMemory},        // cuMemFreeAsync
    {601, Effect::Frees, CudaObject::DeviceMemory},        // cuMemFreeAsync_ptsz
    {611, Effect::Makes, CudaObject::DeviceMemory},        // cuMemAllocFromPoolAsync
    {612, Effect::Makes, CudaObject::DeviceMemory},        // cuMemAllocFromPoolAsync_ptsz
    {39, Effect::Makes, CudaObject::HostMemory},           // cuMemHostAlloc
    {271, Effect::Makes, CudaObject::HostMemory},          // cuMemHostAlloc_v2
    {294, Effect::Makes, CudaObject::HostMemory},          // cuMemAllocHost_v2
    {38, Effect::Frees, CudaObject::HostMemory},           // cuMemFreeHost
    {124, Effect::MakesHandle, CudaObject::Handle},        // cuStreamCreate
    {367, Effect::MakesHandle, CudaObject::Handle},        // cuStreamCreateWithPriority
    {127, Effect::Frees, CudaObject::Handle},              // cuStreamDestroy
    {326, Effect::Frees, CudaObject::Handle},              // cuStreamDestroy_v2
    {118, Effect::MakesHandle, CudaObject::Handle},        // cuEventCreate
    {122, Effect::Frees, CudaObject::Handle},              // cuEventDestroy
    {325, Effect::Frees, CudaObject::Handle},              // cuEventDestroy_v2
};

const DriverCall *callOf(uint32_t Id) {
  for (const DriverCall &C : Calls)
    if (C.Id == Id)
      return &C;
  return nullptr;
}

uint64_t bytesOf(const DriverCall &C, const void *Parameters) {
  if (C.TheEffect == Effect::MakesHandle)
    return 0;
  if (C.TheEffect == Effect::Makes)
    return static_cast<const MakeParameters *>(Parameters)->Bytes;
  auto &P = *static_cast<const PitchParameters *>(Parameters);
  return *P.Pitch * P.Height;
}

void onDriverCall(void *, int Domain, uint32_t Id, const CallbackData *Data) {
  const DriverCall *C = Domain == DriverApi ? callOf(Id) : nullptr;
  if (!C || CudaCallGuard::isInside())
    return;
  if (C->TheEffect == Effect::Frees) {
    if (const void *Object = static_cast<const FreeParameters *>(Data->Parameters)->Object;
        Object && Data->Site != AfterCall)
      cudaGone(Object);
  } else if (Data->Site == AfterCall && *static_cast<const int *>(Data->Result) == 0) {
    cudaMade(Data->Function, C->Kind,
             *static_cast<const MakeParameters *>(Data->Parameters)->Object,
             bytesOf(*C, Data->Parameters));
  }
}

void *openCupti() {
  for (const char *Name :
       {"libcupti.so", "libcupti.so.13", "libcupti.so.12", "/usr/local/cuda/lib64/libcupti.so",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"})
    if (void *Library = dlopen(Name, RTLD_NOW | RTLD_LOCAL))
      return Library;
  return nullptr;
}

const char *subscribe() {
  void *Library = openCupti();
  if (!Library)
    return trace::CudaNoCupti;
  auto Subscribe = reinterpret_cast<SubscribeFn>(dlsym(Library, "cuptiSubscribe"));
  auto Enable = reinterpret_cast<EnableFn>(dlsym(Library, "cuptiEnableCallback"));
  void *Subscriber = nullptr;
  int Error = Subscribe && Enable ? Subscribe(&Subscriber, onDriverCall, nullptr) : -1;
  if (Error)
    return Error == MultipleSubscribers ? trace::CudaProfilerHoldsCupti : trace::CudaNoCupti;
  for (const DriverCall &C : Calls)
    Enable(1, Subscriber, DriverApi, C.Id);
  return trace::CudaByCupti;
}

} // namespace

/// The driver calls it once, at its own start.
TENSORLEAK_EXPORT int InitializeInjection() {
  static const char *State = subscribe();
  setCudaWatchState(State);
  return 1;
}
