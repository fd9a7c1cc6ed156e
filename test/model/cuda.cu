// Calls of the CUDA runtime and driver, one a line: what the model says of each, and the facts
// that follow.
//
// RUN: %check_facts %s
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>
#include <thrust/device_ptr.h>

// What the stand-in headers do not declare.
struct ID3D11Resource;
extern "C" {
CUresult cuGraphClone(CUgraph *, CUgraph);
CUresult cuStreamEndCapture(CUstream, CUgraph *);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *, cudaGraph_t, void *);
CUresult cuGraphInstantiate(CUgraphExec *, CUgraph, unsigned long long);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *, CUgraph, unsigned long long);
CUresult cuTexObjectCreate(CUtexObject *, const void *, const void *, const void *);
CUresult cuSurfObjectCreate(CUsurfObject *, const void *);
typedef struct Imported *CUexternalMemory, *CUexternalSemaphore;
CUresult cuImportExternalMemory(CUexternalMemory *, const void *);
CUresult cuDestroyExternalMemory(CUexternalMemory);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *, const void *);
CUresult cuImportExternalSemaphore(CUexternalSemaphore *, const void *);
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *, unsigned, unsigned);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *, unsigned, unsigned, unsigned);
cudaError_t cudaGraphicsD3D11RegisterResource(cudaGraphicsResource_t *, ID3D11Resource *, unsigned);
typedef void *CUvideodecoder;
CUresult cuvidCreateDecoder(CUvideodecoder *, void *);
CUresult cuvidDestroyDecoder(CUvideodecoder);
}

//===-- Memory of the device --------------------------------------------===//

void memory_of_the_device_lines() {
  { void *p; cudaMalloc(&p, 64); } // FACTS: call cudaMalloc: HostAlloc OutParam; Out Device (device memory, cudaFree, memory), argument 0, size 1; returns a status; resource Acquire p := Device of 64 bytes
  { void *p; cudaMallocManaged(&p, 64, 0); } // FACTS: call cudaMallocManaged: HostAlloc OutParam; Out Device (device memory, cudaFree, memory), argument 0, size 1; returns a status; resource Acquire p := Device of 64 bytes
  { void *p; cudaMallocPitch(&p, nullptr, 64, 16); } // FACTS: call cudaMallocPitch: Out Device (device memory, cudaFree, memory), argument 0, size 23; returns a status; resource Acquire p := Device of 1024 bytes
  { struct cudaPitchedPtr p; cudaMalloc3D(&p, {}); } // FACTS: call cudaMalloc3D: Out Device (device memory, cudaFree, memory), argument 0; returns a status; resource Acquire p := Device
}

//===-- Device async ----------------------------------------------------===//

void device_async_lines() {
  { void *p; cudaMallocAsync(&p, 64, {}); } // FACTS: call cudaMallocAsync: HostAlloc OutParam; Out DeviceAsync (stream-ordered device memory, cudaFreeAsync, memory), argument 0, size 1; returns a status; resource Acquire p := DeviceAsync of 64 bytes
  { void *p; cudaMallocFromPoolAsync(&p, 64, {}, {}); } // FACTS: call cudaMallocFromPoolAsync: Out DeviceAsync (stream-ordered device memory, cudaFreeAsync, memory), argument 0, size 1; returns a status; resource Acquire p := DeviceAsync of 64 bytes
  { void *p{}; cudaFree(p); } // FACTS: call cudaFree: HostFree; Free Device DeviceAsync Thrust, argument 0; returns a status; resource Release p
  { void *p{}; cudaFreeAsync(p, {}); } // FACTS: call cudaFreeAsync: HostFree; Free Device DeviceAsync Thrust, argument 0; returns a status; resource Release p
}

//===-- Pinned ----------------------------------------------------------===//

void pinned_lines() {
  { void *p; cudaMallocHost(&p, 64); } // FACTS: call cudaMallocHost: HostAlloc OutParam; Out Pinned (pinned host memory, cudaFreeHost, memory), argument 0, size 1; returns a status; resource Acquire p := Pinned of 64 bytes
  { void *p; cudaHostAlloc(&p, 64, 0); } // FACTS: call cudaHostAlloc: HostAlloc OutParam; Out Pinned (pinned host memory, cudaFreeHost, memory), argument 0, size 1; returns a status; resource Acquire p := Pinned of 64 bytes
  { void *p{}; cudaFreeHost(p); } // FACTS: call cudaFreeHost: HostFree; Free Pinned, argument 0; returns a status; resource Release p
}

//===-- Registered ------------------------------------------------------===//

void registered_lines() {
  { void *p{}; cudaHostRegister(p, 0, 0); } // FACTS: call cudaHostRegister: Attach Registered (a host memory registration, cudaHostUnregister), argument 0; returns a status; resource Acquire p := Registered
  { void *p{}; cudaHostUnregister(p); } // FACTS: call cudaHostUnregister: Free Registered, argument 0; returns a status; resource Release p
}

//===-- Array -----------------------------------------------------------===//

void array_lines() {
  { cudaArray_t p; cudaMallocArray(&p, nullptr, 0, 0, 0); } // FACTS: call cudaMallocArray: Out Array (a CUDA array, cudaFreeArray, memory), argument 0; returns a status; resource Acquire p := Array
  { cudaArray_t p; cudaMalloc3DArray(&p, nullptr, {}, 0); } // FACTS: call cudaMalloc3DArray: Out Array (a CUDA array, cudaFreeArray, memory), argument 0; returns a status; resource Acquire p := Array
  { cudaArray_t p{}; cudaFreeArray(p); } // FACTS: call cudaFreeArray: Free Array, argument 0; returns a status; resource Release p
}

//===-- Mipmapped array -------------------------------------------------===//

void mipmapped_array_lines() {
  { cudaMipmappedArray_t p; cudaMallocMipmappedArray(&p, nullptr, {}, 0, 0); } // FACTS: call cudaMallocMipmappedArray: Out MipmappedArray (a mipmapped array, cudaFreeMipmappedArray, memory), argument 0; returns a status; resource Acquire p := MipmappedArray
  { cudaMipmappedArray_t p{}; cudaFreeMipmappedArray(p); } // FACTS: call cudaFreeMipmappedArray: Free MipmappedArray, argument 0; returns a status; resource Release p
}

//===-- Ipc memory ------------------------------------------------------===//

void ipc_memory_lines() {
  { void *p; cudaIpcOpenMemHandle(&p, {}, 0); } // FACTS: call cudaIpcOpenMemHandle: Out IpcMemory (mapped memory of another process, cudaIpcCloseMemHandle, memory), argument 0; returns a status; resource Acquire p := IpcMemory
  { void *p{}; cudaIpcCloseMemHandle(p); } // FACTS: call cudaIpcCloseMemHandle: Free IpcMemory, argument 0; returns a status; resource Release p
}

//===-- Mem pool --------------------------------------------------------===//

void mem_pool_lines() {
  { cudaMemPool_t p; cudaMemPoolCreate(&p, nullptr); } // FACTS: call cudaMemPoolCreate: Out MemPool (a memory pool, cudaMemPoolDestroy), argument 0; returns a status; resource Acquire p := MemPool
  { cudaMemPool_t p{}; cudaMemPoolDestroy(p); } // FACTS: call cudaMemPoolDestroy: Free MemPool, argument 0; returns a status; resource Release p
}

//===-- Everything on the device ----------------------------------------===//

void everything_on_the_device_lines() {
  cudaDeviceReset(); // FACTS: call cudaDeviceReset: FreeAll; returns a status; resource ReleaseAll
  cudaThreadExit(); // FACTS: call cudaThreadExit: FreeAll; returns a status; resource ReleaseAll
  cuDevicePrimaryCtxReset({}); // FACTS: call cuDevicePrimaryCtxReset: FreeAll; returns a status; resource ReleaseAll
}

//===-- Stream ----------------------------------------------------------===//

void stream_lines() {
  { cudaStream_t p; cudaStreamCreate(&p); } // FACTS: call cudaStreamCreate: Out Stream (a stream, cudaStreamDestroy), argument 0; returns a status; resource Acquire p := Stream
  { cudaStream_t p; cudaStreamCreateWithFlags(&p, 0); } // FACTS: call cudaStreamCreateWithFlags: Out Stream (a stream, cudaStreamDestroy), argument 0; returns a status; resource Acquire p := Stream
  { cudaStream_t p; cudaStreamCreateWithPriority(&p, 0, 0); } // FACTS: call cudaStreamCreateWithPriority: Out Stream (a stream, cudaStreamDestroy), argument 0; returns a status; resource Acquire p := Stream
  { CUstream p; cuStreamCreate(&p, 0); } // FACTS: call cuStreamCreate: Out Stream (a stream, cudaStreamDestroy), argument 0; returns a status; resource Acquire p := Stream
  { CUstream p; cuStreamCreateWithPriority(&p, 0, 0); } // FACTS: call cuStreamCreateWithPriority: Out Stream (a stream, cudaStreamDestroy), argument 0; returns a status; resource Acquire p := Stream
  { cudaStream_t p{}; cudaStreamDestroy(p); } // FACTS: call cudaStreamDestroy: Free Stream, argument 0; returns a status; resource Release p
  { CUstream p{}; cuStreamDestroy(p); } // FACTS: call cuStreamDestroy: Free Stream, argument 0; returns a status; resource Release p
}

//===-- Event -----------------------------------------------------------===//

void event_lines() {
  { cudaEvent_t p; cudaEventCreate(&p); } // FACTS: call cudaEventCreate: Out Event (an event, cudaEventDestroy), argument 0; returns a status; resource Acquire p := Event
  { cudaEvent_t p; cudaEventCreateWithFlags(&p, 0); } // FACTS: call cudaEventCreateWithFlags: Out Event (an event, cudaEventDestroy), argument 0; returns a status; resource Acquire p := Event
  { CUevent p; cuEventCreate(&p, 0); } // FACTS: call cuEventCreate: Out Event (an event, cudaEventDestroy), argument 0; returns a status; resource Acquire p := Event
  { cudaEvent_t p; cudaIpcOpenEventHandle(&p, {}); } // FACTS: call cudaIpcOpenEventHandle: Out Event (an event, cudaEventDestroy), argument 0; returns a status; resource Acquire p := Event
  { cudaEvent_t p{}; cudaEventDestroy(p); } // FACTS: call cudaEventDestroy: Free Event, argument 0; returns a status; resource Release p
  { CUevent p{}; cuEventDestroy(p); } // FACTS: call cuEventDestroy: Free Event, argument 0; returns a status; resource Release p
}

//===-- Graph -----------------------------------------------------------===//

void graph_lines() {
  { cudaGraph_t p; cudaGraphCreate(&p, 0); } // FACTS: call cudaGraphCreate: Out Graph (a graph, cudaGraphDestroy), argument 0; returns a status; resource Acquire p := Graph
  { cudaGraph_t p; cudaGraphClone(&p, {}); } // FACTS: call cudaGraphClone: Out Graph (a graph, cudaGraphDestroy), argument 0; returns a status; resource Acquire p := Graph
  { CUgraph p; cuGraphCreate(&p, 0); } // FACTS: call cuGraphCreate: Out Graph (a graph, cudaGraphDestroy), argument 0; returns a status; resource Acquire p := Graph
  { cudaGraph_t p; cudaStreamEndCapture({}, &p); } // FACTS: call cudaStreamEndCapture: Out Graph (a graph, cudaGraphDestroy), argument 1; returns a status; resource Acquire p := Graph
  { cudaGraph_t p{}; cudaGraphDestroy(p); } // FACTS: call cudaGraphDestroy: Free Graph, argument 0; returns a status; resource Release p
  { CUgraph p{}; cuGraphDestroy(p); } // FACTS: call cuGraphDestroy: Free Graph, argument 0; returns a status; resource Release p
  { CUgraph p; cuGraphClone(&p, {}); } // FACTS: call cuGraphClone: Out Graph (a graph, cudaGraphDestroy), argument 0; returns a status; resource Acquire p := Graph
  { CUgraph p; cuStreamEndCapture({}, &p); } // FACTS: call cuStreamEndCapture: Out Graph (a graph, cudaGraphDestroy), argument 1; returns a status; resource Acquire p := Graph
}

//===-- Graph exec ------------------------------------------------------===//

void graph_exec_lines() {
  { cudaGraphExec_t p; cudaGraphInstantiate(&p, {}, 0); } // FACTS: call cudaGraphInstantiate: Out GraphExec (an executable graph, cudaGraphExecDestroy), argument 0; returns a status; resource Acquire p := GraphExec
  { cudaGraphExec_t p; cudaGraphInstantiateWithFlags(&p, {}, 0); } // FACTS: call cudaGraphInstantiateWithFlags: Out GraphExec (an executable graph, cudaGraphExecDestroy), argument 0; returns a status; resource Acquire p := GraphExec
  { cudaGraphExec_t p{}; cudaGraphExecDestroy(p); } // FACTS: call cudaGraphExecDestroy: Free GraphExec, argument 0; returns a status; resource Release p
  { CUgraphExec p{}; cuGraphExecDestroy(p); } // FACTS: call cuGraphExecDestroy: Free GraphExec, argument 0; returns a status; resource Release p
  { cudaGraphExec_t p; cudaGraphInstantiateWithParams(&p, {}, nullptr); } // FACTS: call cudaGraphInstantiateWithParams: Out GraphExec (an executable graph, cudaGraphExecDestroy), argument 0; returns a status; resource Acquire p := GraphExec
  { CUgraphExec p; cuGraphInstantiate(&p, {}, 0); } // FACTS: call cuGraphInstantiate: Out GraphExec (an executable graph, cudaGraphExecDestroy), argument 0; returns a status; resource Acquire p := GraphExec
  { CUgraphExec p; cuGraphInstantiateWithFlags(&p, {}, 0); } // FACTS: call cuGraphInstantiateWithFlags: Out GraphExec (an executable graph, cudaGraphExecDestroy), argument 0; returns a status; resource Acquire p := GraphExec
}

//===-- Texture ---------------------------------------------------------===//

void texture_lines() {
  { cudaTextureObject_t p; cudaCreateTextureObject(&p, nullptr, nullptr, nullptr); } // FACTS: call cudaCreateTextureObject: Out Texture (a texture object, cudaDestroyTextureObject), argument 0; returns a status; resource Acquire p := Texture
  { cudaTextureObject_t p{}; cudaDestroyTextureObject(p); } // FACTS: call cudaDestroyTextureObject: Free Texture, argument 0; returns a status; resource Release p
  { CUtexObject p{}; cuTexObjectDestroy(p); } // FACTS: call cuTexObjectDestroy: Free Texture, argument 0; returns a status; resource Release p
  { CUtexObject p; cuTexObjectCreate(&p, nullptr, nullptr, nullptr); } // FACTS: call cuTexObjectCreate: Out Texture (a texture object, cudaDestroyTextureObject), argument 0; returns a status; resource Acquire p := Texture
}

//===-- Surface ---------------------------------------------------------===//

void surface_lines() {
  { cudaSurfaceObject_t p; cudaCreateSurfaceObject(&p, nullptr); } // FACTS: call cudaCreateSurfaceObject: Out Surface (a surface object, cudaDestroySurfaceObject), argument 0; returns a status; resource Acquire p := Surface
  { cudaSurfaceObject_t p{}; cudaDestroySurfaceObject(p); } // FACTS: call cudaDestroySurfaceObject: Free Surface, argument 0; returns a status; resource Release p
  { CUsurfObject p{}; cuSurfObjectDestroy(p); } // FACTS: call cuSurfObjectDestroy: Free Surface, argument 0; returns a status; resource Release p
  { CUsurfObject p; cuSurfObjectCreate(&p, nullptr); } // FACTS: call cuSurfObjectCreate: Out Surface (a surface object, cudaDestroySurfaceObject), argument 0; returns a status; resource Acquire p := Surface
}

//===-- External --------------------------------------------------------===//

void external_lines() {
  { cudaExternalMemory_t p; cudaImportExternalMemory(&p, nullptr); } // FACTS: call cudaImportExternalMemory: Out External (external memory, cudaDestroyExternalMemory, memory), argument 0; returns a status; resource Acquire p := External
  { cudaExternalMemory_t p{}; cudaDestroyExternalMemory(p); } // FACTS: call cudaDestroyExternalMemory: Free External, argument 0; returns a status; resource Release p
  { CUexternalMemory p; cuImportExternalMemory(&p, nullptr); } // FACTS: call cuImportExternalMemory: Out External (external memory, cudaDestroyExternalMemory, memory), argument 0; returns a status; resource Acquire p := External
  { CUexternalMemory p{}; cuDestroyExternalMemory(p); } // FACTS: call cuDestroyExternalMemory: Free External, argument 0; returns a status; resource Release p
}

//===-- Semaphore -------------------------------------------------------===//

void semaphore_lines() {
  { cudaExternalSemaphore_t p{}; cudaDestroyExternalSemaphore(p); } // FACTS: call cudaDestroyExternalSemaphore: Free Semaphore, argument 0; returns a status; resource Release p
  { cudaExternalSemaphore_t p; cudaImportExternalSemaphore(&p, nullptr); } // FACTS: call cudaImportExternalSemaphore: Out Semaphore (an external semaphore, cudaDestroyExternalSemaphore), argument 0; returns a status; resource Acquire p := Semaphore
  { CUexternalSemaphore p; cuImportExternalSemaphore(&p, nullptr); } // FACTS: call cuImportExternalSemaphore: Out Semaphore (an external semaphore, cudaDestroyExternalSemaphore), argument 0; returns a status; resource Acquire p := Semaphore
  { CUexternalSemaphore p{}; cuDestroyExternalSemaphore(p); } // FACTS: call cuDestroyExternalSemaphore: Free Semaphore, argument 0; returns a status; resource Release p
}

//===-- Graphics --------------------------------------------------------===//

void graphics_lines() {
  { cudaGraphicsResource_t p{}; cudaGraphicsUnregisterResource(p); } // FACTS: call cudaGraphicsUnregisterResource: Free Graphics, argument 0; returns a status; resource Release p
  { cudaGraphicsResource_t p; cudaGraphicsGLRegisterBuffer(&p, 0, 0); } // FACTS: call cudaGraphicsGLRegisterBuffer: Out Graphics (a graphics resource, cudaGraphicsUnregisterResource), argument 0; returns a status; resource Acquire p := Graphics
  { cudaGraphicsResource_t p; cudaGraphicsGLRegisterImage(&p, 0, 0, 0); } // FACTS: call cudaGraphicsGLRegisterImage: Out Graphics (a graphics resource, cudaGraphicsUnregisterResource), argument 0; returns a status; resource Acquire p := Graphics
  { cudaGraphicsResource_t p; cudaGraphicsD3D11RegisterResource(&p, nullptr, 0); } // FACTS: call cudaGraphicsD3D11RegisterResource: Out Graphics (a graphics resource, cudaGraphicsUnregisterResource), argument 0; returns a status; resource Acquire p := Graphics
}

//===-- Driver device ---------------------------------------------------===//

void driver_device_lines() {
  { CUdeviceptr p; cuMemAlloc(&p, 64); } // FACTS: call cuMemAlloc: Out DriverDevice (device memory, cuMemFree, memory), argument 0, size 1; returns a status; resource Acquire p := DriverDevice of 64 bytes
  { CUdeviceptr p; cuMemAllocManaged(&p, 64, 0); } // FACTS: call cuMemAllocManaged: Out DriverDevice (device memory, cuMemFree, memory), argument 0, size 1; returns a status; resource Acquire p := DriverDevice of 64 bytes
  { CUdeviceptr p; cuMemAllocAsync(&p, 64, {}); } // FACTS: call cuMemAllocAsync: Out DriverDevice (device memory, cuMemFree, memory), argument 0, size 1; returns a status; resource Acquire p := DriverDevice of 64 bytes
  { CUdeviceptr p; cuMemAllocFromPoolAsync(&p, 64, {}, {}); } // FACTS: call cuMemAllocFromPoolAsync: Out DriverDevice (device memory, cuMemFree, memory), argument 0, size 1; returns a status; resource Acquire p := DriverDevice of 64 bytes
  { CUdeviceptr p; cuMemAllocPitch(&p, nullptr, 64, 16, 0); } // FACTS: call cuMemAllocPitch: Out DriverDevice (device memory, cuMemFree, memory), argument 0, size 23; returns a status; resource Acquire p := DriverDevice of 1024 bytes
  { CUdeviceptr p{}; cuMemFree(p); } // FACTS: call cuMemFree: Free DriverDevice, argument 0; returns a status; resource Release p
  { CUdeviceptr p{}; cuMemFreeAsync(p, {}); } // FACTS: call cuMemFreeAsync: Free DriverDevice, argument 0; returns a status; resource Release p
}

//===-- Driver pinned ---------------------------------------------------===//

void driver_pinned_lines() {
  { void *p; cuMemAllocHost(&p, 64); } // FACTS: call cuMemAllocHost: Out DriverPinned (pinned host memory, cuMemFreeHost, memory), argument 0, size 1; returns a status; resource Acquire p := DriverPinned of 64 bytes
  { void *p; cuMemHostAlloc(&p, 64, 0); } // FACTS: call cuMemHostAlloc: Out DriverPinned (pinned host memory, cuMemFreeHost, memory), argument 0, size 1; returns a status; resource Acquire p := DriverPinned of 64 bytes
  { void *p{}; cuMemFreeHost(p); } // FACTS: call cuMemFreeHost: Free DriverPinned, argument 0; returns a status; resource Release p
}

//===-- Driver registered -----------------------------------------------===//

void driver_registered_lines() {
  { void *p{}; cuMemHostRegister(p, 0, 0); } // FACTS: call cuMemHostRegister: Attach DriverRegistered (a host memory registration, cuMemHostUnregister), argument 0; returns a status; resource Acquire p := DriverRegistered
  { void *p{}; cuMemHostUnregister(p); } // FACTS: call cuMemHostUnregister: Free DriverRegistered, argument 0; returns a status; resource Release p
}

//===-- Physical --------------------------------------------------------===//

void physical_lines() {
  { CUmemGenericAllocationHandle p; cuMemCreate(&p, 64, nullptr, 0); } // FACTS: call cuMemCreate: Out Physical (physical device memory, cuMemRelease, memory), argument 0, size 1; returns a status; resource Acquire p := Physical of 64 bytes
  { CUmemGenericAllocationHandle p; cuMemImportFromShareableHandle(&p, nullptr, {}); } // FACTS: call cuMemImportFromShareableHandle: Out Physical (physical device memory, cuMemRelease, memory), argument 0; returns a status; resource Acquire p := Physical
  { CUmemGenericAllocationHandle p; cuMemRetainAllocationHandle(&p, nullptr); } // FACTS: call cuMemRetainAllocationHandle: Out Physical (physical device memory, cuMemRelease, memory), argument 0; returns a status; resource Acquire p := Physical
  { CUmemGenericAllocationHandle p{}; cuMemRelease(p); } // FACTS: call cuMemRelease: Free Physical, argument 0; returns a status; resource Release p
}

//===-- Address range ---------------------------------------------------===//

void address_range_lines() {
  { CUdeviceptr p; cuMemAddressReserve(&p, 0, 0, {}, 0); } // FACTS: call cuMemAddressReserve: Out AddressRange (a reserved address range, cuMemAddressFree), argument 0; returns a status; resource Acquire p := AddressRange
  { CUdeviceptr p{}; cuMemAddressFree(p, 0); } // FACTS: call cuMemAddressFree: Free AddressRange, argument 0; returns a status; resource Release p
}

//===-- Mapping ---------------------------------------------------------===//

void mapping_lines() {
  { CUdeviceptr p{}; cuMemMap(p, 0, 0, {}, 0); } // FACTS: call cuMemMap: Attach Mapping (a memory mapping, cuMemUnmap), argument 0; returns a status; resource Acquire p := Mapping
  { CUdeviceptr p{}; cuMemUnmap(p, 0); } // FACTS: call cuMemUnmap: Free Mapping, argument 0; returns a status; resource Release p
}

//===-- Driver array ----------------------------------------------------===//

void driver_array_lines() {
  { CUarray p; cuArrayCreate(&p, nullptr); } // FACTS: call cuArrayCreate: Out DriverArray (a CUDA array, cuArrayDestroy, memory), argument 0; returns a status; resource Acquire p := DriverArray
  { CUarray p; cuArray3DCreate(&p, nullptr); } // FACTS: call cuArray3DCreate: Out DriverArray (a CUDA array, cuArrayDestroy, memory), argument 0; returns a status; resource Acquire p := DriverArray
  { CUarray p{}; cuArrayDestroy(p); } // FACTS: call cuArrayDestroy: Free DriverArray, argument 0; returns a status; resource Release p
}

//===-- Context ---------------------------------------------------------===//

void context_lines() {
  { CUcontext p; cuCtxCreate(&p, 0, {}); } // FACTS: call cuCtxCreate: Out Context (a context, cuCtxDestroy), argument 0; returns a status; resource Acquire p := Context
  { CUcontext p{}; cuCtxDestroy(p); } // FACTS: call cuCtxDestroy: Free Context, argument 0; returns a status; resource Release p
}

//===-- Module ----------------------------------------------------------===//

void module_lines() {
  { CUmodule p; cuModuleLoad(&p, nullptr); } // FACTS: call cuModuleLoad: Out Module (a module, cuModuleUnload), argument 0; returns a status; resource Acquire p := Module
  { CUmodule p; cuModuleLoadData(&p, nullptr); } // FACTS: call cuModuleLoadData: Out Module (a module, cuModuleUnload), argument 0; returns a status; resource Acquire p := Module
  { CUmodule p; cuModuleLoadDataEx(&p, nullptr, 0, nullptr, nullptr); } // FACTS: call cuModuleLoadDataEx: Out Module (a module, cuModuleUnload), argument 0; returns a status; resource Acquire p := Module
  { CUmodule p; cuModuleLoadFatBinary(&p, nullptr); } // FACTS: call cuModuleLoadFatBinary: Out Module (a module, cuModuleUnload), argument 0; returns a status; resource Acquire p := Module
  { CUmodule p{}; cuModuleUnload(p); } // FACTS: call cuModuleUnload: Free Module, argument 0; returns a status; resource Release p
}

//===-- Linker ----------------------------------------------------------===//

void linker_lines() {
  { CUlinkState p; cuLinkCreate(0, nullptr, nullptr, &p); } // FACTS: call cuLinkCreate: Out Linker (a linker state, cuLinkDestroy), argument 3; returns a status; resource Acquire p := Linker
  { CUlinkState p{}; cuLinkDestroy(p); } // FACTS: call cuLinkDestroy: Free Linker, argument 0; returns a status; resource Release p
  { CUvideodecoder p; cuvidCreateDecoder(&p, nullptr); } // FACTS: call cuvidCreateDecoder: Out VideoDecoder (a video decoder, cuvidDestroyDecoder), argument 0; returns a status; resource Acquire p := VideoDecoder
  { CUvideodecoder p{}; cuvidDestroyDecoder(p); } // FACTS: call cuvidDestroyDecoder: Free VideoDecoder, argument 0; returns a status; resource Release p
}

//===-- First content ---------------------------------------------------===//

void first_content_lines() {
  cudaMemcpy(nullptr, nullptr, 0, {}); // FACTS: call cudaMemcpy: Fill; Copy; returns a status
  cudaMemcpyAsync(nullptr, nullptr, 0, {}, {}); // FACTS: call cudaMemcpyAsync: Fill; Copy; returns a status
  cudaMemcpy2D(nullptr, 0, nullptr, 0, 0, 0, {}); // FACTS: call cudaMemcpy2D: Fill; returns a status
  cudaMemcpy2DAsync(nullptr, 0, nullptr, 0, 0, 0, {}, {}); // FACTS: call cudaMemcpy2DAsync: Fill; returns a status
  cudaMemset(nullptr, 0, 0); // FACTS: call cudaMemset: Fill; returns a status
  cudaMemsetAsync(nullptr, 0, 0, {}); // FACTS: call cudaMemsetAsync: Fill; returns a status
  cudaMemset2D(nullptr, 0, 0, 0, 0); // FACTS: call cudaMemset2D: Fill; returns a status
  cuMemcpyHtoD({}, nullptr, 0); // FACTS: call cuMemcpyHtoD: Fill; returns a status
  cuMemcpyHtoDAsync({}, nullptr, 0, {}); // FACTS: call cuMemcpyHtoDAsync: Fill; returns a status
  cuMemsetD8({}, 0, 0); // FACTS: call cuMemsetD8: Fill; returns a status
  cuMemsetD32({}, 0, 0); // FACTS: call cuMemsetD32: Fill; returns a status
}

//===-- What went wrong before ------------------------------------------===//

void what_went_wrong_before_lines() {
  cudaGetLastError(); // FACTS: call cudaGetLastError: LastError; returns a status
  cudaPeekAtLastError(); // FACTS: call cudaPeekAtLastError: LastError; returns a status
}

//===-- The end of the program ----------------------------------------------===//

void ends(int how) {
  if (how == 1)
    exit(1); // FACTS: call exit: End
  if (how == 2)
    quick_exit(2); // FACTS: call quick_exit: End
  if (how == 3)
    _Exit(3); // FACTS: call _Exit: End
  _exit(4); // FACTS: call _exit: End
}

//===-- thrust ------------------------------------------------------------===//

void borrowed(float *p) {
  thrust::device_pointer_cast(p); // FACTS: call device_pointer_cast: Borrow
  thrust::raw_pointer_cast(thrust::device_pointer_cast(p)); // FACTS: call raw_pointer_cast: Borrow; call device_pointer_cast: Borrow
}
void of_thrust() {
  thrust::device_ptr<float> a = thrust::device_malloc<float>(64); // FACTS: call device_malloc: Result Thrust (device memory, thrust::device_free, memory); resource Acquire := Thrust; resource Assign a := Thrust
  a.device_ptr::get(); // FACTS: call get: Borrow
  thrust::device_free(a); // FACTS: call device_free: Free Device DeviceAsync Thrust, argument 0; resource Release a
  thrust::device_ptr<float> b = thrust::device_new<float>(64); // FACTS: call device_new: Result Thrust (device memory, thrust::device_free, memory); resource Acquire := Thrust; resource Assign b := Thrust
  thrust::device_delete(b); // FACTS: call device_delete: Free Device DeviceAsync Thrust, argument 0; resource Release b
}

//===-- Host memory -------------------------------------------------------===//

void host_memory(void *old) {
  { void *p = malloc(64); } // FACTS: call malloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 0; resource Acquire := Heap of 64 bytes; resource Assign p := Heap of 64 bytes
  { void *p = calloc(16, 64); } // FACTS: call calloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 01; resource Acquire := Heap of 1024 bytes; resource Assign p := Heap of 1024 bytes
  { void *p = aligned_alloc(64, 256); } // FACTS: call aligned_alloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 1; resource Acquire := Heap of 256 bytes; resource Assign p := Heap of 256 bytes
  { void *p = realloc(old, 64); } // FACTS: call realloc: HostAlloc; Result Heap (host memory, free, memory, on the host), size 1; Free Heap, argument 0; resource Release old; resource Acquire := Heap of 64 bytes; resource Assign p := Heap of 64 bytes
  { void *p; posix_memalign(&p, 64, 256); } // FACTS: call posix_memalign: HostAlloc OutParam; Out Heap (host memory, free, memory, on the host), argument 0, size 2; resource Acquire p := Heap of 256 bytes
  { void *p{}; free(p); } // FACTS: call free: HostFree; Free Heap, argument 0; resource Release p
  { float *p = new float[16]; } // FACTS: resource Acquire := NewArray of 64 bytes; resource Assign p := NewArray of 64 bytes
  { float *p{}; delete[] p; } // FACTS: resource Release p
  { struct Two { float *a, *b; }; auto *p = new Two; } // FACTS: resource Acquire := Record; resource Assign p := Record
}
