// In all rounds of a loop but the first, what counts has counted, and what a round sets is set:
// `if (k > 0) cudaFree(p);` frees what each round before has left.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

//===-- By a number that counts -------------------------------------------------===//

void from_the_second_on(size_t n) {
  float *p = nullptr;
  for (int k = 0; k < 20; ++k) {
    if (k > 0)
      cudaFree(p);
    cudaMalloc(&p, n * 4);
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

void from_the_third_on(size_t n) {
  float *p = nullptr;
  for (int k = 0; k < 20; ++k) {
    if (k > 1)
      cudaFree(p);
    cudaMalloc(&p, n * 4); // expected-warning {{'p' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

void downwards(size_t n) {
  float *p = nullptr;
  for (int k = 20; k > 0; --k) {
    if (k != 20)
      cudaFree(p);
    cudaMalloc(&p, n * 4);
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

void downwards_too_late(size_t n) {
  float *p = nullptr;
  for (int k = 20; k > 0; --k) {
    if (k < 19)
      cudaFree(p);
    cudaMalloc(&p, n * 4); // expected-warning {{'p' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

void by_a_count_of_its_own(size_t n) {
  float *p = nullptr;
  int count = 0;
  for (int k = 0; k < 20; ++k) {
    if (count++)
      cudaFree(p);
    cudaMalloc(&p, n * 4);
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

/// The inner loop counts from the start again in each round of the outer one.
void counted_within(size_t n) {
  float *p = nullptr;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 20; ++k) {
      if (k > 0)
        cudaFree(p);
      cudaMalloc(&p, n * 4); // expected-warning {{'p' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
      cudaMemset(p, 0, n * 4);
    }
  cudaFree(p);
}

//===-- By a flag -----------------------------------------------------------------===//

void but_the_first(size_t n) {
  float *p = nullptr;
  bool first = true;
  for (int k = 0; k < 20; ++k) {
    if (!first)
      cudaFree(p);
    first = false;
    cudaMalloc(&p, n * 4);
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

void only_the_first(size_t n) {
  float *p = nullptr;
  bool first = true;
  for (int k = 0; k < 20; ++k) {
    if (first)
      cudaFree(p);
    first = false;
    cudaMalloc(&p, n * 4); // expected-warning {{'p' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    cudaMemset(p, 0, n * 4);
  }
  cudaFree(p);
}

//===-- What the last round has left ----------------------------------------------===//

/// A round has been where `m` is more than none.
void the_last_one(size_t n, int m) {
  float *p = nullptr;
  for (int k = 0; k < m; ++k) {
    if (k > 0)
      cudaFree(p);
    cudaMalloc(&p, n * 4);
    cudaMemset(p, 0, n * 4);
  }
  if (m > 0)
    cudaFree(p);
}

void the_last_of_two(size_t n, int m) {
  float *p = nullptr;
  for (int k = 0; k < m; ++k) {
    if (k > 0)
      cudaFree(p);
    cudaMalloc(&p, n * 4); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    cudaMemset(p, 0, n * 4);
  }
  if (m > 1)
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}
