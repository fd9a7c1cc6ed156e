//===-- Injection.cpp - The driver's calls, by CUPTI -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded by the CUDA driver through CUDA_INJECTION64_PATH, for programs whose CUDA
// runtime is linked statically (nvcc's default) and for the driver API. Every call of
// the runtime ends in one of the driver's; those of the runtime that make something are
// watched for their names alone, which are what the program wrote. CUPTI is opened at run
// time and declared here as far as it is used; numbers are those of cupti_driver_cbid.h and
// cupti_runtime_cbid.h, where they only ever grow.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/cuda/CudaCalls.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Settings.h"

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

constexpr int DriverApi = 1, RuntimeApi = 2, AfterCall = 1;
constexpr int MultipleSubscribers = 39;

/// Most functions that make something have a pointer to it first, and its size second.
struct MakeParameters {
  void *const *Object;
  uint64_t Bytes;
};
struct PitchParameters {
  void *const *Object;
  const size_t *Pitch;
  size_t Width, Height;
};
/// Of CUDA_ARRAY3D_DESCRIPTOR, but for its flags.
struct ArrayParameters {
  void *const *Object;
  const struct {
    size_t Width, Height, Depth;
    unsigned Format, Channels;
  } *Description;
};
struct CaptureParameters {
  const void *Stream;
  void *const *Object;
};
/// What has the object itself first: a pointer, or a number.
struct ObjectParameters {
  const void *Object;
};

enum class Effect : uint8_t {
  Makes,
  MakesPitched,
  MakesArray,
  MakesThing,
  MakesSecond,
  Marks,
  Frees,
  FreesAll
};
struct DriverCall {
  uint32_t Id;
  Effect TheEffect;
  CudaObject Kind;
};

constexpr DriverCall Calls[] = {
    {243, Effect::Makes, CudaObject::DeviceMemory},         // cuMemAlloc_v2
    {244, Effect::MakesPitched, CudaObject::DeviceMemory},  // cuMemAllocPitch_v2
    {245, Effect::Frees, CudaObject::DeviceMemory},         // cuMemFree_v2
    {371, Effect::Makes, CudaObject::DeviceMemory},         // cuMemAllocManaged
    {549, Effect::Makes, CudaObject::DeviceMemory},         // cuMemCreate
    {550, Effect::Frees, CudaObject::DeviceMemory},         // cuMemRelease
    {598, Effect::Makes, CudaObject::DeviceMemory},         // cuMemAllocAsync
    {599, Effect::Makes, CudaObject::DeviceMemory},         // cuMemAllocAsync_ptsz
    {600, Effect::Frees, CudaObject::DeviceMemory},         // cuMemFreeAsync
    {601, Effect::Frees, CudaObject::DeviceMemory},         // cuMemFreeAsync_ptsz
    {611, Effect::Makes, CudaObject::DeviceMemory},         // cuMemAllocFromPoolAsync
    {612, Effect::Makes, CudaObject::DeviceMemory},         // cuMemAllocFromPoolAsync_ptsz
    {274, Effect::MakesArray, CudaObject::Array},           // cuArray3DCreate_v2
    {89, Effect::Frees, CudaObject::Array},                 // cuArrayDestroy
    {347, Effect::MakesArray, CudaObject::Array},           // cuMipmappedArrayCreate
    {349, Effect::Frees, CudaObject::Array},                // cuMipmappedArrayDestroy
    {607, Effect::MakesThing, CudaObject::MemoryPool},      // cuMemPoolCreate
    {608, Effect::Frees, CudaObject::MemoryPool},           // cuMemPoolDestroy
    {39, Effect::Makes, CudaObject::HostMemory},            // cuMemHostAlloc
    {271, Effect::Makes, CudaObject::HostMemory},           // cuMemHostAlloc_v2
    {294, Effect::Makes, CudaObject::HostMemory},           // cuMemAllocHost_v2
    {38, Effect::Frees, CudaObject::HostMemory},            // cuMemFreeHost
    {379, Effect::Marks, CudaObject::Registration},         // cuMemHostRegister_v2
    {302, Effect::Frees, CudaObject::Registration},         // cuMemHostUnregister
    {124, Effect::MakesThing, CudaObject::Stream},          // cuStreamCreate
    {367, Effect::MakesThing, CudaObject::Stream},          // cuStreamCreateWithPriority
    {127, Effect::Frees, CudaObject::Stream},               // cuStreamDestroy
    {326, Effect::Frees, CudaObject::Stream},               // cuStreamDestroy_v2
    {118, Effect::MakesThing, CudaObject::Event},           // cuEventCreate
    {122, Effect::Frees, CudaObject::Event},                // cuEventDestroy
    {325, Effect::Frees, CudaObject::Event},                // cuEventDestroy_v2
    {501, Effect::MakesThing, CudaObject::Graph},           // cuGraphCreate
    {523, Effect::MakesThing, CudaObject::Graph},           // cuGraphClone
    {497, Effect::MakesSecond, CudaObject::Graph},          // cuStreamEndCapture
    {498, Effect::MakesSecond, CudaObject::Graph},          // cuStreamEndCapture_ptsz
    {517, Effect::Frees, CudaObject::Graph},                // cuGraphDestroy
    {513, Effect::MakesThing, CudaObject::ExecutableGraph}, // cuGraphInstantiate
    {578, Effect::MakesThing, CudaObject::ExecutableGraph}, // cuGraphInstantiate_v2
    {643, Effect::MakesThing, CudaObject::ExecutableGraph}, // cuGraphInstantiateWithFlags
    {656, Effect::MakesThing, CudaObject::ExecutableGraph}, // cuGraphInstantiateWithParams
    {657, Effect::MakesThing, CudaObject::ExecutableGraph}, // cuGraphInstantiateWithParams_ptsz
    {516, Effect::Frees, CudaObject::ExecutableGraph},      // cuGraphExecDestroy
    {339, Effect::MakesThing, CudaObject::Texture},         // cuTexObjectCreate
    {340, Effect::Frees, CudaObject::Texture},              // cuTexObjectDestroy
    {343, Effect::MakesThing, CudaObject::Surface},         // cuSurfObjectCreate
    {344, Effect::Frees, CudaObject::Surface},              // cuSurfObjectDestroy
    {389, Effect::FreesAll, CudaObject::DeviceMemory},      // cuDevicePrimaryCtxReset
    {545, Effect::FreesAll, CudaObject::DeviceMemory},      // cuDevicePrimaryCtxReset_v2
};

/// What of the runtime makes something.
constexpr uint32_t RuntimeMakers[] = {
    20,  // cudaMalloc
    21,  // cudaMallocPitch
    23,  // cudaMallocArray
    25,  // cudaMallocHost
    27,  // cudaHostAlloc
    129, // cudaStreamCreate
    133, // cudaEventCreate
    134, // cudaEventCreateWithFlags
    140, // cudaMalloc3D
    141, // cudaMalloc3DArray
    152, // cudaHostRegister
    185, // cudaCreateTextureObject
    189, // cudaCreateSurfaceObject
    192, // cudaMallocMipmappedArray
    198, // cudaStreamCreateWithFlags
    202, // cudaStreamCreateWithPriority
    206, // cudaMallocManaged
    286, // cudaGraphCreate
    301, // cudaGraphClone
    310, // cudaGraphInstantiate
    319, // cudaStreamEndCapture
    320, // cudaStreamEndCapture_ptsz
    373, // cudaMallocAsync
    374, // cudaMallocAsync_ptsz
    383, // cudaMemPoolCreate
    391, // cudaMallocFromPoolAsync
    392, // cudaMallocFromPoolAsync_ptsz
    418, // cudaGraphInstantiateWithFlags
    434, // cudaCreateTextureObject_v2
    436, // cudaGraphInstantiateWithParams
    437, // cudaGraphInstantiateWithParams_ptsz
    443, // cudaGraphInstantiate of CUDA 12
};

/// The runtime's call that the thread is in; null for none. CUPTI's names are constants.
thread_local const char *RuntimeCall __attribute__((tls_model("initial-exec"))) = nullptr;

const DriverCall *callOf(uint32_t Id) {
  for (const DriverCall &C : Calls)
    if (C.Id == Id)
      return &C;
  return nullptr;
}

/// Of one channel, by CUarray_format; at least, for formats of pictures.
size_t formatBytes(unsigned Format) {
  switch (Format) {
  case 0x02: // 16-bit integers and half
  case 0x09:
  case 0x10:
    return 2;
  case 0x03: // 32-bit integers and float
  case 0x0a:
  case 0x20:
    return 4;
  default:
    return 1;
  }
}

uint64_t arrayBytes(const ArrayParameters &P) {
  const auto &D = *P.Description;
  return D.Width * (D.Height ? D.Height : 1) * (D.Depth ? D.Depth : 1) * D.Channels *
         formatBytes(D.Format);
}

uint64_t bytesOf(const DriverCall &C, const void *Parameters) {
  switch (C.TheEffect) {
  case Effect::Makes:
    return static_cast<const MakeParameters *>(Parameters)->Bytes;
  case Effect::MakesPitched: {
    auto &P = *static_cast<const PitchParameters *>(Parameters);
    return *P.Pitch * P.Height;
  }
  case Effect::MakesArray:
    return arrayBytes(*static_cast<const ArrayParameters *>(Parameters));
  default:
    return 0;
  }
}

const void *objectOf(const DriverCall &C, const void *Parameters) {
  if (C.TheEffect == Effect::Frees || C.TheEffect == Effect::Marks)
    return static_cast<const ObjectParameters *>(Parameters)->Object;
  if (C.TheEffect == Effect::MakesSecond)
    return *static_cast<const CaptureParameters *>(Parameters)->Object;
  return *static_cast<const MakeParameters *>(Parameters)->Object;
}

bool frees(Effect E) { return E == Effect::Frees || E == Effect::FreesAll; }

/// What a watched function makes on the way is its own; what it frees may be older: cuRAND
/// allocates in curandGenerateNormal, and frees that in curandDestroyGenerator.
void onDriverCall(uint32_t Id, const CallbackData *Data) {
  const DriverCall *C = callOf(Id);
  if (!C || (CudaCallGuard::isInside() && !frees(C->TheEffect)))
    return;
  auto Object = [&] { return reinterpret_cast<uintptr_t>(objectOf(*C, Data->Parameters)); };
  bool IsAfter = Data->Site == AfterCall;
  if (C->TheEffect == Effect::FreesAll)
    return cudaAllGone();
  if (C->TheEffect == Effect::Frees && !IsAfter)
    cudaGone(C->Kind, Object());
  else if (C->TheEffect != Effect::Frees && IsAfter && *static_cast<const int *>(Data->Result) == 0)
    cudaMade(RuntimeCall ? RuntimeCall : Data->Function, C->Kind, Object(),
             bytesOf(*C, Data->Parameters));
}

void onCall(void *, int Domain, uint32_t Id, const CallbackData *Data) {
  if (Domain == DriverApi)
    onDriverCall(Id, Data);
  else if (Domain == RuntimeApi)
    RuntimeCall = Data->Site == AfterCall ? nullptr : Data->Function;
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
  int Error = Subscribe && Enable ? Subscribe(&Subscriber, onCall, nullptr) : -1;
  if (Error)
    return Error == MultipleSubscribers ? trace::CudaProfilerHoldsCupti : trace::CudaNoCupti;
  for (const DriverCall &C : Calls)
    Enable(1, Subscriber, DriverApi, C.Id);
  for (uint32_t Id : RuntimeMakers)
    Enable(1, Subscriber, RuntimeApi, Id);
  return trace::CudaByCupti;
}

} // namespace

/// The driver calls it once, at its own start.
TENSORLEAK_EXPORT int InitializeInjection() {
  static const char *State = subscribe();
  setCudaWatchState(State);
  return 1;
}
