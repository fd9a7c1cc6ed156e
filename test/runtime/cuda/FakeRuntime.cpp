//===-- FakeRuntime.cpp - A CUDA runtime without a GPU ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only: gives out host memory, and calls CUPTI as the driver under it would.
// Built as libcudart.so.13 it stands for a shared runtime; linked into the program, for
// nvcc's static one. Loads CUDA_INJECTION64_PATH at the first call, as the driver does.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/mman.h>

namespace {

/// Of FakeCupti.cpp, in the library that the injected one opens.
using FireFn = void (*)(int Domain, uint32_t Id, const char *Function, bool After,
                        const void *Parameters, const int *Result);

FireFn injected() {
  dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD); // as the real one, which is known by it
  const char *Path = std::getenv("CUDA_INJECTION64_PATH");
  void *Library = Path ? dlopen(Path, RTLD_NOW) : nullptr;
  auto Start =
      Library ? reinterpret_cast<int (*)()>(dlsym(Library, "InitializeInjection")) : nullptr;
  if (!Start || !Start())
    return nullptr;
  void *Cupti = dlopen("libcupti.so", RTLD_NOW);
  return Cupti ? reinterpret_cast<FireFn>(dlsym(Cupti, "fakeCuptiFire")) : nullptr;
}

void fireIn(int Domain, uint32_t Id, const char *Function, bool After, const void *Parameters,
            const int *Result = nullptr) {
  static FireFn Fire = injected();
  if (Fire)
    Fire(Domain, Id, Function, After, Parameters, Result);
}

void fire(uint32_t Id, const char *Function, bool After, const void *Parameters,
          const int *Result = nullptr) {
  fireIn(1, Id, Function, After, Parameters, Result);
}

/// A call of the runtime, around those that it makes of the driver.
class RuntimeCall {
public:
  RuntimeCall(uint32_t Id, const char *Function) : Id(Id), Function(Function) {
    fireIn(2, Id, Function, false, nullptr);
  }
  ~RuntimeCall() { fireIn(2, Id, Function, true, nullptr); }

private:
  uint32_t Id;
  const char *Function;
};

struct MakeParameters {
  void **Object;
  size_t Bytes;
};

constexpr size_t Limit = size_t(1) << 40;

int make(uint32_t Id, const char *Function, void **Object, size_t Bytes) {
  int Result = Bytes > Limit ? 2 : 0;
  MakeParameters Parameters{Object, Bytes};
  fire(Id, Function, false, &Parameters);
  *Object = Result ? nullptr : std::malloc(Bytes ? Bytes : 1);
  fire(Id, Function, true, &Parameters, &Result);
  return Result;
}

/// As make(), of memory that is not the heap's, and whose address is never given out again.
int makeOnDevice(uint32_t Id, const char *Function, void **Object, size_t Bytes) {
  int Result = Bytes > Limit ? 2 : 0;
  MakeParameters Parameters{Object, Bytes};
  fire(Id, Function, false, &Parameters);
  *Object = Result ? nullptr
                   : mmap(nullptr, Bytes ? Bytes : 1, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  fire(Id, Function, true, &Parameters, &Result);
  return Result;
}

int release(uint32_t Id, const char *Function, void *Object) {
  int Result = 0;
  fire(Id, Function, false, &Object);
  std::free(Object);
  fire(Id, Function, true, &Object, &Result);
  return Result;
}

/// A call that neither gives out nor takes memory.
int call(uint32_t Id, const char *Function, const void *Parameters) {
  int Result = 0;
  fire(Id, Function, false, Parameters);
  fire(Id, Function, true, Parameters, &Result);
  return Result;
}

/// What is known by a number, from 1 on for each kind.
int makeNumbered(uint32_t Id, const char *Function, uint64_t *Object, uint64_t &Last) {
  *Object = ++Last;
  return call(Id, Function, &Object);
}

/// What the runtime remembers behind a stream: which memory was allocated in its order.
struct StreamMemory {
  void *Data;
  StreamMemory *Next;
};
struct FakeStream {
  StreamMemory *First;
};

struct ChannelFormat {
  int X, Y, Z, W, Kind;
};
struct Extent {
  size_t Width, Height, Depth;
};
struct ArrayDescriptor {
  size_t Width, Height, Depth;
  unsigned Format, Channels, Flags;
};

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cudaMalloc(void **P, size_t N) {
  RuntimeCall Call(20, "cudaMalloc_v3020");
  return makeOnDevice(243, "cuMemAlloc_v2", P, N);
}
EXPORT int cudaFree(void *P) { return call(245, "cuMemFree_v2", &P); }
EXPORT int cudaMallocHost(void **P, size_t N) { return make(294, "cuMemAllocHost_v2", P, N); }
EXPORT int cudaFreeHost(void *P) { return release(38, "cuMemFreeHost", P); }
EXPORT int cudaHostRegister(void *P, size_t N, unsigned Flags) {
  struct {
    void *Data;
    size_t Bytes;
    unsigned Flags;
  } Parameters{P, N, Flags};
  return call(379, "cuMemHostRegister_v2", &Parameters);
}
EXPORT int cudaHostUnregister(void *P) { return call(302, "cuMemHostUnregister", &P); }
EXPORT int cudaStreamCreate(void **P) {
  int Result = make(124, "cuStreamCreate", P, sizeof(FakeStream));
  static_cast<FakeStream *>(*P)->First = nullptr;
  return Result;
}
EXPORT int cudaMallocAsync(void **P, size_t N, void *S) {
  int Result = make(598, "cuMemAllocAsync", P, N);
  auto *Stream = static_cast<FakeStream *>(S);
  Stream->First = new StreamMemory{*P, Stream->First};
  return Result;
}
EXPORT int cudaFreeAsync(void *P, void *S) {
  StreamMemory **At = &static_cast<FakeStream *>(S)->First;
  while (*At && (*At)->Data != P)
    At = &(*At)->Next;
  if (StreamMemory *Freed = *At) {
    *At = Freed->Next;
    delete Freed;
  }
  return release(600, "cuMemFreeAsync", P);
}
EXPORT int cudaStreamDestroy(void *P) { return release(326, "cuStreamDestroy_v2", P); }
EXPORT int cudaMallocPitch(void **P, size_t *Pitch, size_t Width, size_t Height) {
  *Pitch = (Width + 511) / 512 * 512;
  return makeOnDevice(243, "cuMemAllocPitch_v2", P, *Pitch * Height);
}
EXPORT int cudaMallocArray(void **P, const ChannelFormat *, size_t Width, size_t Height, unsigned) {
  ArrayDescriptor Floats{Width, Height, 0, 0x20, 1, 0};
  struct {
    void **Object;
    const ArrayDescriptor *Description;
  } Parameters{P, &Floats};
  *P = std::malloc(1);
  return call(274, "cuArray3DCreate_v2", &Parameters);
}
EXPORT int cudaMallocMipmappedArray(void **P, const ChannelFormat *, Extent Size, unsigned,
                                    unsigned) {
  ArrayDescriptor Floats{Size.Width, Size.Height, 0, 0x20, 1, 0};
  struct {
    void **Object;
    const ArrayDescriptor *Description;
  } Parameters{P, &Floats};
  *P = std::malloc(1);
  return call(347, "cuMipmappedArrayCreate", &Parameters);
}
EXPORT int cudaFreeMipmappedArray(void *P) { return release(349, "cuMipmappedArrayDestroy", P); }
EXPORT int cudaMemPoolCreate(void **P, const void *) { return make(607, "cuMemPoolCreate", P, 0); }
EXPORT int cudaMemPoolDestroy(void *P) { return release(608, "cuMemPoolDestroy", P); }
EXPORT int cudaFreeArray(void *P) { return release(89, "cuArrayDestroy", P); }
EXPORT int cudaGraphCreate(void **P, unsigned) { return make(501, "cuGraphCreate", P, 0); }
EXPORT int cudaGraphDestroy(void *P) { return release(517, "cuGraphDestroy", P); }
EXPORT int cudaStreamEndCapture(void *Stream, void **P) {
  struct {
    void *Stream;
    void **Object;
  } Parameters{Stream, P};
  *P = std::malloc(1);
  return call(497, "cuStreamEndCapture", &Parameters);
}
EXPORT int cudaGraphInstantiate(void **P, void *, uint64_t) {
  return make(656, "cuGraphInstantiateWithParams", P, 0);
}
EXPORT int cudaGraphExecDestroy(void *P) { return release(516, "cuGraphExecDestroy", P); }
EXPORT int cudaCreateTextureObject(uint64_t *P, const void *, const void *, const void *) {
  static uint64_t Last;
  return makeNumbered(339, "cuTexObjectCreate", P, Last);
}
EXPORT int cudaDestroyTextureObject(uint64_t P) { return call(340, "cuTexObjectDestroy", &P); }
EXPORT int cudaCreateSurfaceObject(uint64_t *P, const void *) {
  static uint64_t Last;
  return makeNumbered(343, "cuSurfObjectCreate", P, Last);
}
EXPORT int cudaDestroySurfaceObject(uint64_t P) { return call(344, "cuSurfObjectDestroy", &P); }
EXPORT int cudaDeviceReset() {
  unsigned Device = 0;
  return call(545, "cuDevicePrimaryCtxReset_v2", &Device);
}
