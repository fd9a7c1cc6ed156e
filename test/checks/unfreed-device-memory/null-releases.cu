// What is given back only where it is null is not given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class Inverted {
public:
  explicit Inverted(int n) { cudaMalloc(&data_, n); } // expected-warning {{device memory in 'data_' is never given back: the destructor does not do it; call 'cudaFree' in one}} [tensor-unfreed-device-memory]
  Inverted(const Inverted &) = delete;
  ~Inverted() { // expected-path {{'~Inverted' is here}}
    if (!data_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
};

void freeNull(float *&p) {
  if (p == nullptr) {
    cudaFree(p);
    p = nullptr;
  }
}

__global__ void use(float *);

void byHelper(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'byHelper' returns; nothing calls 'cudaFree' on it}} [tensor-unfreed-device-memory]
  use<<<1, 1>>>(p);
  freeNull(p);
}

void freeUnlessSet(float *p) {
  if (p)
    return;
  cudaFree(p);
}

void byReturn(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'byReturn' returns; nothing calls 'cudaFree' on it}} [tensor-unfreed-device-memory]
  use<<<1, 1>>>(p);
  freeUnlessSet(p);
} // expected-fix {{cudaFree(p);}}

//===-- Near misses -----------------------------------------------------------------===//

class Upright {
public:
  explicit Upright(int n) { cudaMalloc(&data_, n); }
  Upright(const Upright &) = delete;
  ~Upright() {
    if (!data_)
      return;
    cudaFree(data_);
  }

private:
  float *data_ = nullptr;
};

void freeOther(float *p, float *other) {
  if (!other)
    cudaFree(p);
}

void byOther(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  use<<<1, 1>>>(p);
  freeOther(p, nullptr);
}

// It is another one by then.
void freeNext(float *p, float *next) {
  if (!p)
    p = next;
  cudaFree(p);
}

void freeEither(float **p, float *spare) {
  if (!*p) {
    *p = spare;
    cudaFree(*p);
  }
}

void byNext(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  use<<<1, 1>>>(p);
  freeNext(nullptr, p);
  cudaMalloc(&p, n);
  use<<<1, 1>>>(p);
  float *none = nullptr;
  freeEither(&none, p);
}
