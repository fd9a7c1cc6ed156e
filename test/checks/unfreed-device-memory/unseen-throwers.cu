// A try block in which nothing that this file shows throws: what it does not show does.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

__global__ void fill(float *p, int n);
void refine(int n);
void report(const char *what) noexcept;
extern "C" void c_callback(int n);

bool leaves(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back on every way out; call 'cudaFree' there too, or let an object own it}} [tensor-unfreed-device-memory]
  try {
    fill<<<1, 1>>>(p, n);
    refine(n); // expected-path {{this way out leaves it behind}}
  } catch (const std::exception &e) {
    report(e.what());
    return false;
  }
  cudaFree(p); // expected-path {{others are freed here}}
  return true;
}

bool inside(int n) {
  try {
    float *p = nullptr;
    cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    refine(n); // expected-path {{this way out leaves it behind}}
    cudaFree(p); // expected-path {{others are freed here}}
  } catch (...) {
    return false;
  }
  return true;
}

//===-- Near misses -----------------------------------------------------------------===//

bool givenInHandler(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  try {
    refine(n);
  } catch (...) {
    cudaFree(p);
    return false;
  }
  cudaFree(p);
  return true;
}

bool goesOn(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  try {
    refine(n);
  } catch (...) {
    report("refine");
  }
  cudaFree(p);
  return true;
}

// The vector may be what the block is for.
bool explained(std::vector<float> &host, int n) {
  float *p = nullptr;
  try {
    host.resize(n);
    cudaMalloc(&p, n);
    refine(n);
    cudaFree(p);
  } catch (const std::bad_alloc &) {
    return false;
  }
  return true;
}

bool noThrowers(int n) {
  float *p = nullptr;
  try {
    refine(n);
    cudaMalloc(&p, n);
    report("taken");
    c_callback(n);
    cudaFree(p);
  } catch (...) {
    return false;
  }
  return true;
}

// No handler of this function's: most programs end then.
void noTry(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  refine(n);
  cudaFree(p);
}
