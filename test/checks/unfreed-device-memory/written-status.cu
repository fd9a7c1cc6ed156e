// A callee writes whether the call before it failed, and its caller leaves by that.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

void note(cudaError_t error, bool &ok) {
  if (error != cudaSuccess)
    ok = false;
}
bool leaves_by_what_a_callee_wrote(int n) {
  bool ok = true;
  float *p = nullptr;
  note(cudaMalloc(&p, n), ok);
  if (!ok)
    return false;
  cudaFree(p);
  return true;
}
bool leaves_by_something_else(int n) {
  bool ok = true;
  float *p = nullptr;
  note(cudaMalloc(&p, n), ok); // expected-warning {{'p' is not given back}} [tensor-unfreed-device-memory]
  if (n > 5)
    return false; // expected-path {{this way out leaves it behind}}
  if (!ok)
    return false;
  cudaFree(p); // expected-path {{others are freed here}}
  return true;
}
struct Taker {
  cudaError_t last = cudaSuccess;
  void take(float **p, int n) {
    if (last == cudaSuccess)
      last = cudaMalloc(p, n);
  }
};
bool leaves_by_what_a_method_wrote(int n) {
  Taker taker;
  float *p = nullptr;
  taker.take(&p, n);
  if (taker.last != cudaSuccess)
    return false;
  cudaFree(p);
  return true;
}
