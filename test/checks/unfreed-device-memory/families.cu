// Streams, events, handles, pinned memory and arrays; and calls of the wrong family.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <curand.h>

#include <cstdlib>

__global__ void kernel(float *data, int n) {}

void stream() {
  cudaStream_t s;
  cudaStreamCreate(&s); // expected-warning {{a stream in 's'}} [tensor-unfreed-device-memory]
  kernel<<<1, 32, 0, s>>>(nullptr, 0);
}
void stream_destroyed() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  kernel<<<1, 32, 0, s>>>(nullptr, 0);
  cudaStreamDestroy(s);
}
// Events are small: worth a warning where others are destroyed.
void events() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop); // expected-warning {{an event in 'stop'}} [tensor-unfreed-device-memory]
  cudaEventDestroy(start); // expected-path {{others are freed here}}
}
void timing() {
  cudaEvent_t start;
  cudaEventCreate(&start); // expected-note {{an event in 'start'}} [tensor-unfreed-device-memory]
}
void handles() {
  cublasHandle_t blas;
  cublasCreate(&blas); // expected-warning {{cuBLAS handle}} [tensor-unfreed-device-memory]
  curandGenerator_t random;
  curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT); // expected-warning {{curandDestroyGenerator}} [tensor-unfreed-device-memory]
}
void handles_destroyed() {
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasDestroy(blas);
}
void graph(cudaStream_t s) {
  cudaGraph_t g;
  cudaGraphExec_t run;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  kernel<<<1, 32, 0, s>>>(nullptr, 0);
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&run, g, 0); // expected-warning {{an executable graph}} [tensor-unfreed-device-memory]
  cudaGraphLaunch(run, s);
  cudaGraphDestroy(g);
}
void pitched(size_t width, size_t height) {
  float *data;
  size_t pitch;
  cudaMallocPitch(&data, &pitch, 1024, 16); // expected-warning {{16 KiB of device memory in 'data'}} [tensor-unfreed-device-memory]
} // expected-fix {{cudaFree(data);}}
void cube() {
  cudaPitchedPtr volume;
  cudaMalloc3D(&volume, make_cudaExtent(64, 64, 64));
  cudaFree(volume.ptr);
}
void async(cudaStream_t s) {
  float *a, *b;
  cudaMallocAsync(&a, 1024, s);
  cudaMallocAsync(&b, 1024, s); // expected-warning {{'b'}} [tensor-unfreed-device-memory]
  cudaFreeAsync(a, s); // expected-path {{others are freed here}}
}
void driver() {
  CUdeviceptr a, b;
  cuMemAlloc(&a, 1024);
  cuMemAlloc(&b, 1024); // expected-warning {{'b'}} [tensor-unfreed-device-memory]
  cuMemFree(a); // expected-path {{others are freed here}}
}

// The wrong call.
void pinned_with_free() {
  float *host;
  cudaMallocHost(&host, 1024); // expected-warning {{must be given back with 'cudaFreeHost'}} [tensor-unfreed-device-memory]
  free(host); // expected-path {{it is given to this call}}
}
void device_with_free() {
  float *data;
  cudaMalloc(&data, 1024); // expected-warning {{must be given back with 'cudaFree'}} [tensor-unfreed-device-memory]
  free(data); // expected-path {{it is given to this call}}
}
void pinned() {
  float *host;
  cudaHostAlloc(&host, 1024, cudaHostAllocDefault);
  cudaFreeHost(host);
}
void either_of_two(bool pinned) {
  void *p;
  if (pinned)
    cudaMallocHost(&p, 1024);
  else
    p = malloc(1024);
  if (pinned)
    cudaFreeHost(p);
  else
    free(p);
}
void registered() {
  float *host = (float *)malloc(1024);
  cudaHostRegister(host, 1024, 0); // expected-warning {{registration}} [tensor-unfreed-device-memory]
  free(host);
}
// A mapping of the whole is reported; one of a part, another in each call, is not.
void mapped(CUmemGenericAllocationHandle part, size_t size) {
  CUdeviceptr base;
  cuMemAddressReserve(&base, size, 0, 0, 0);
  cuMemMap(base, size, 0, part, 0); // expected-warning {{a memory mapping in 'base'}} [tensor-unfreed-device-memory]
  cuMemAddressFree(base, size);
}
void mappedByName(CUmemGenericAllocationHandle part, size_t size) {
  CUdeviceptr base;
  cuMemAddressReserve(&base, size, 0, 0, 0);
  const CUdeviceptr begin = base;
  cuMemMap(begin, size, 0, part, 0); // expected-warning {{a memory mapping in 'base'}} [tensor-unfreed-device-memory]
  cuMemAddressFree(base, size);
}
class Growing {
public:
  ~Growing() { cuMemUnmap(base, used); }
  void grow(CUmemGenericAllocationHandle part, size_t size) {
    cuMemMap(base + used, size, 0, part, 0);
    used += size;
  }
  void growByName(CUmemGenericAllocationHandle part, size_t size) {
    const CUdeviceptr end = base + used;
    cuMemMap(end, size, 0, part, 0);
    used += size;
  }

private:
  CUdeviceptr base = 0;
  size_t used = 0;
};
void unregistered() {
  float *host = (float *)malloc(1024);
  cudaHostRegister(host, 1024, 0);
  cudaHostUnregister(host);
  free(host);
}

// Host memory beside device memory: a note.
void staging(float *device, int n) {
  float *host = (float *)malloc(n); // expected-note {{host memory in 'host'}} [tensor-unfreed-device-memory]
  cudaMalloc(&device, n);
  cudaMemcpy(device, host, n, cudaMemcpyHostToDevice);
  cudaFree(device);
}
void staging_freed(float *device, int n) {
  float *host = (float *)malloc(n);
  cudaMalloc(&device, n);
  cudaMemcpy(device, host, n, cudaMemcpyHostToDevice);
  free(host);
  cudaFree(device);
}
void no_device(int n) { float *host = (float *)malloc(n); }

// A function of another file that gets the pointer and more only uses it, probably.
void launch(float *data, int n);
void given_to_another_file(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-note {{'data'}} [tensor-unfreed-device-memory]
  launch(data, n);
}

// The versioned names that the driver's macros stand for.
void versioned() {
  CUdeviceptr lost, freed;
  cuMemAlloc_v2(&lost, 1024); // expected-warning {{'lost'}} [tensor-unfreed-device-memory]
  cuMemAlloc(&freed, 1024);
  cuMemFree_v2(freed); // expected-path {{others are freed here}}
}
extern "C" cudaError_t cudaMallocAsync_ptsz(void **p, size_t n, cudaStream_t s);
extern "C" cudaError_t cudaFreeAsync_ptsz(void *p, cudaStream_t s);
void per_thread_stream(cudaStream_t s) {
  void *lost, *freed;
  cudaMallocAsync_ptsz(&lost, 1024, s); // expected-warning {{'lost'}} [tensor-unfreed-device-memory]
  cudaMallocAsync_ptsz(&freed, 1024, s);
  cudaFreeAsync_ptsz(freed, s); // expected-path {{others are freed here}}
}

//===-- A cudaPitchedPtr is one value ---------------------------------------===//

struct Volume {
  explicit Volume(cudaPitchedPtr p) : ptr(p) {}
  cudaPitchedPtr ptr;
};
struct Assigned {
  explicit Assigned(cudaPitchedPtr p) { ptr = p; }
  cudaPitchedPtr ptr;
};
void clear(cudaPitchedPtr p) { cudaMemset3D(p, 0, make_cudaExtent(4, 4, 4)); }

Volume *kept_by_an_object(int n) {
  cudaPitchedPtr ptr;
  cudaMalloc3D(&ptr, make_cudaExtent(n, 4, 4));
  return new Volume(ptr);
}
Assigned *kept_by_a_body(int n) {
  cudaPitchedPtr ptr;
  cudaMalloc3D(&ptr, make_cudaExtent(n, 4, 4));
  return new Assigned(ptr);
}
void used_by_a_callee(int n) {
  cudaPitchedPtr ptr;
  cudaMalloc3D(&ptr, make_cudaExtent(n, 4, 4)); // expected-warning {{'ptr' is not given back}} [tensor-unfreed-device-memory]
  clear(ptr);
}
Volume *kept_but_for_one_way_out(int n) {
  cudaPitchedPtr ptr;
  cudaMalloc3D(&ptr, make_cudaExtent(n, 4, 4)); // expected-warning {{'ptr' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (n > 64)
    return nullptr; // expected-path {{this way out leaves it behind}}
  return new Volume(ptr);
}
