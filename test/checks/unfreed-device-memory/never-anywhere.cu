// What no call of the function gives back, where its way out cannot be told from others; handles in
// static variables that each call makes anew; members that a constructor loses when it throws.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <stdexcept>

bool fits(int n);

// The condition of the allocation and those of the ways out are about the same n, but how they go
// together is not known. Nothing frees it, so some way out loses it.
void neverFreed(int n) {
  float *p;
  if (n > 4)
    cudaMalloc(&p, n); // expected-warning {{'p' is not given back before 'neverFreed' returns}} [tensor-unfreed-device-memory]
  if (fits(n))
    return;
  cudaMemset(p, 0, n);
}

// Near misses: a release, a return, a member or a caller's variable.
void freedIfItFits(int n) {
  float *p = nullptr;
  if (n > 4)
    cudaMalloc(&p, n);
  if (!fits(n))
    return;
  cudaFree(p);
}
float *returnedIfItFits(int n) {
  float *p = nullptr;
  if (n > 4)
    cudaMalloc(&p, n);
  return fits(n) ? p : nullptr;
}
void handedOutIfItFits(int n, float **out) {
  float *p = nullptr;
  if (n > 4)
    cudaMalloc(&p, n);
  if (fits(n))
    *out = p;
}

// Handles.
void streamOfEachCall(int n) {
  static cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]); // expected-note {{each call of 'streamOfEachCall' takes more}} [tensor-unfreed-device-memory]
  cudaStreamCreate(&streams[1]); // expected-note {{'streams[1]' is never given back}} [tensor-unfreed-device-memory]
  cudaMemsetAsync(nullptr, 0, n, streams[0]);
}
void streamOfTheFirstCall(int n) {
  static cudaStream_t stream;
  if (!stream)
    cudaStreamCreate(&stream);
  cudaMemsetAsync(nullptr, 0, n, stream);
}
static cudaStream_t shared;
void begin() { cudaStreamCreate(&shared); }
void end() { cudaStreamDestroy(shared); }

// The constructor loses both when it throws, and the destructor forgets one when it does not.
class Throws {
public:
  explicit Throws(int n) {
    cudaMalloc(&a, n); // expected-warning {{'a' and 'b' (device memory) are lost when the constructor throws}} [tensor-unfreed-device-memory]
    cudaMalloc(&b, n); // expected-path {{'b' gets device memory here}} expected-warning {{'~Throws' frees 'a' and forgets it}} [tensor-unfreed-device-memory]
    if (n < 0)
      throw std::runtime_error("n"); // expected-path {{this way out}}
  }
  ~Throws() { cudaFree(a); } // expected-path {{'~Throws' is here}}

private:
  float *a, *b;
};
class ThrowsAndFrees {
public:
  explicit ThrowsAndFrees(int n) {
    cudaMalloc(&a, n); // expected-warning {{'a' is lost when the constructor throws}} [tensor-unfreed-device-memory]
    if (n < 0)
      throw std::runtime_error("n"); // expected-path {{this way out}}
  }
  ~ThrowsAndFrees() { cudaFree(a); }

private:
  float *a;
};
