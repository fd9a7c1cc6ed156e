// A smart pointer gives back what it has by its deleter: for memory of the device that is not
// `delete`, nor `free`.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>

__global__ void use(float *);

void byDefault(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory must be given back with 'cudaFree', and another call gets it}} [tensor-unfreed-device-memory]
  std::shared_ptr<float> owner(p); // expected-path {{it is given to this pointer, and to its deleter}}
  use<<<1, 1>>>(owner.get());
}

void asArray(int n) {
  float *p = nullptr;
  cudaMallocHost(&p, n); // expected-warning {{pinned host memory must be given back with 'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
  std::unique_ptr<float[]> owner(p); // expected-path {{it is given to this pointer, and to its deleter}}
  use<<<1, 1>>>(owner.get());
}

std::shared_ptr<float> byFree(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory must be given back with 'cudaFree', and another call gets it}} [tensor-unfreed-device-memory]
  return std::shared_ptr<float>(p, free); // expected-path {{it is given to this pointer, and to its deleter}}
}

//===-- Near misses -----------------------------------------------------------------===//

std::shared_ptr<float> byItsOwn(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  return std::shared_ptr<float>(p, cudaFree);
}

struct Deleter {
  void operator()(float *p) const { cudaFree(p); }
};

void byDeleter(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  std::unique_ptr<float[], Deleter> owner(p);
  use<<<1, 1>>>(owner.get());
}

void ofHost(size_t n) {
  float *p = static_cast<float *>(malloc(n));
  std::unique_ptr<float, decltype(&free)> owner(p, free);
  float *host = new float[n];
  std::unique_ptr<float[]> other(host);
}

std::shared_ptr<float> byLambda(int n) {
  float *p = nullptr;
  cudaMallocHost(&p, n);
  return std::shared_ptr<float>(p, [](float *q) { cudaFreeHost(q); });
}

// What is beside the ones above is still lost.
void lent(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'lent' returns; nothing calls 'cudaFree' on it}} [tensor-unfreed-device-memory]
  std::shared_ptr<float> name(p, [](float *) {});
  use<<<1, 1>>>(name.get());
}
