// A library that stands before CUDA's own defines the calls by their names: its callers give back.
//
// RUN: %check_tensor %s
#include <cuda.h>
#include <cuda_runtime.h>

extern "C" cudaError_t cudaHostRegister(void *p, size_t n, unsigned int flags) {
  return cuMemHostRegister(p, n, flags) ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t pinned_for_good(void *p, size_t n) {
  return cuMemHostRegister(p, n, 0) ? cudaErrorUnknown : cudaSuccess; // expected-warning {{a host memory registration in 'p' is not given back before 'pinned_for_good' returns}} [tensor-unfreed-device-memory]
}
