// `k % 3` is the same wherever it is asked of the same `k`: what is freed only where it is 1 or 2
// is lost where it is 0. How it goes together with other questions about `k` is not understood.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <cstdio>

bool isEven(int k);

//===-- One function ----------------------------------------------------------------===//

void two_of_three(int k, size_t n) {
  float *p;
  cudaMalloc(&p, n * 4); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  switch (k % 3) {
  case 0:
    std::puts("zero");
    break;
  case 1:
    cudaFree(p);
    break;
  default:
    cudaFree(p); // expected-path {{others are freed here}}
  }
} // expected-path {{this way out leaves it behind}}

void all_of_three(int k, size_t n) {
  float *p;
  cudaMalloc(&p, n * 4);
  switch (k % 3) {
  case 0:
    cudaFree(p);
    break;
  case 1:
    std::puts("one");
    cudaFree(p);
    break;
  case 2:
    cudaFree(p);
  }
}

void by_a_bit(unsigned flags, size_t n) {
  float *p;
  cudaMalloc(&p, n * 4); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (flags & 4)
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

void taken_and_freed_by_a_bit(unsigned flags, size_t n) {
  float *p = nullptr;
  if (flags & 4)
    cudaMalloc(&p, n * 4);
  if ((flags & 4) != 0)
    cudaFree(p);
}

/// `k / 2 > 1` where `k > 3`, and the analysis does not know.
void asked_in_another_way(int k, size_t n) {
  float *p = nullptr;
  if (k / 2 > 1)
    cudaMalloc(&p, n * 4);
  if (k > 3)
    cudaFree(p);
}

void asked_by_a_function(int k, size_t n) {
  float *p = nullptr;
  if (isEven(k))
    cudaMalloc(&p, n * 4);
  if (k % 2 == 0)
    cudaFree(p);
}

//===-- Loops -----------------------------------------------------------------------===//

void skipped_rounds(size_t n) {
  for (int k = 0; k < 20; ++k) {
    float *p;
    cudaMalloc(&p, n * 4); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (k % 4 == 0)
      continue; // expected-path {{this way out leaves it behind}}
    cudaFree(p); // expected-path {{others are freed here}}
  }
}

/// What an even round takes the odd one behind it frees: that even and odd take turns is not known.
void every_other_round(size_t n) {
  float *p = nullptr;
  for (int k = 0; k < 20; ++k) {
    if (k % 2 == 1)
      cudaFree(p);
    if (k % 2 == 0)
      cudaMalloc(&p, n * 4);
  }
}
