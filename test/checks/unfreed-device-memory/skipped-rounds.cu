// What a round that is skipped leaves is asked of what later rounds do for certain, and a condition
// may have a name.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

bool skip(int);
__global__ void kernel(float *, int);

//===-- Taken in one round ---------------------------------------------------===//

void freed_in_the_last(int rounds, int n) {
  float *a = nullptr;
  for (int i = 0; i < rounds; ++i) {
    if (i == 0)
      cudaMalloc(&a, n);
    kernel<<<1, 32>>>(a, n);
    if (i != rounds - 1)
      continue;
    cudaFree(a);
  }
}

void taken_in_each(int rounds, int n) {
  float *a = nullptr;
  for (int i = 0; i < rounds; ++i) {
    cudaMalloc(&a, n); // expected-warning {{'a' is taken anew in each round}} [tensor-unfreed-device-memory]
    kernel<<<1, 32>>>(a, n);
    if (i != rounds - 1)
      continue;
    cudaFree(a);
  }
}

//===-- A member that the first round fills ------------------------------------===//

struct Scratch {
  float *data = nullptr;
};

void filled_once(int n) {
  Scratch scratch;
  for (int i = 0; i < n; ++i) {
    if (!scratch.data)
      cudaMalloc(&scratch.data, 64);
    if (skip(i))
      continue;
    cudaMemset(scratch.data, 0, 64);
  }
  cudaFree(scratch.data);
}

void filled_anew(int n) {
  Scratch scratch;
  for (int i = 0; i < n; ++i) {
    cudaMalloc(&scratch.data, 64); // expected-warning {{'scratch.data' is taken anew in each round}} [tensor-unfreed-device-memory]
    if (skip(i))
      continue;
    cudaFree(scratch.data);
  }
}

//===-- A flag by another name -------------------------------------------------===//

void in_the_first_round(int rounds, int n) {
  float *b = nullptr;
  bool first = true;
  for (int i = 0; i < rounds; i++) {
    const bool now = first;
    if (now) {
      cudaMalloc(&b, n);
      first = false;
    }
    kernel<<<1, 32>>>(b, n);
  }
  cudaFree(b);
}

void in_each_round(int rounds, int n) {
  float *b = nullptr;
  bool first = true;
  for (int i = 0; i < rounds; i++) {
    const bool now = first;
    if (now)
      cudaMalloc(&b, n); // expected-warning {{'b' is taken anew in each round}} [tensor-unfreed-device-memory]
    kernel<<<1, 32>>>(b, n);
  }
  cudaFree(b);
}

//===-- A function that says by an argument whether it has taken anything -------===//

static void ask(size_t &bytes, cudaError_t &error, float *&p) {
  bytes /= 2;
  error = cudaMalloc(&p, bytes); // expected-path {{it is allocated here}}
}

void asked_until_had(size_t bytes) {
  float *p;
  cudaError_t error = cudaMalloc(&p, bytes);
  while (error != cudaSuccess)
    ask(bytes, error, p);
  cudaFree(p);
}

void asked_and_kept(size_t bytes) {
  float *p;
  cudaError_t error;
  ask(bytes, error, p); // expected-warning {{'p' is not given back before 'asked_and_kept' returns}} [tensor-unfreed-device-memory]
  if (error == cudaSuccess)
    kernel<<<1, 1>>>(p, 3);
} // expected-fix {{cudaFree(p);}}
