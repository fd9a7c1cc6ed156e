// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Loops over lists of addresses: each variable gets one of its own.
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECKED(call)                                                                              \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      abort();                                                                                     \
  } while (0)

class Fields {
public:
  explicit Fields(int n) {
    for (float **each : {&current, &before, &image})
      CHECKED(cudaMalloc(reinterpret_cast<void **>(each), n)); // expected-warning {{'image' is never given back; '~Fields' frees 'before', 'current' and forgets it}} [tensor-unfreed-device-memory]
  }
  ~Fields() { // expected-path {{'~Fields' is here}}
    cudaFree(current);
    cudaFree(before);
  }

private:
  float *current = nullptr, *before = nullptr, *image = nullptr;
};

void one_is_forgotten(int n) {
  float *left, *right;
  for (float **each : {&left, &right})
    cudaMalloc(each, n); // expected-warning {{is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  cudaFree(left);        // expected-path {{only single ones are given back, as here}}
}

struct Pair {
  float *left, *right;
};

void fill(Pair &pair, int n) {
  for (float **each : {&pair.left, &pair.right})
    cudaMalloc(each, n); // expected-path {{it is allocated here}}
}

void filled_by_a_callee(int n) {
  Pair pair;
  fill(pair, n); // expected-warning {{'pair' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaFree(pair.left);
}

//===-- Near misses -------------------------------------------------------===//

class AllFields {
public:
  explicit AllFields(int n) {
    for (float **each : {&current, &before, &image})
      CHECKED(cudaMalloc(reinterpret_cast<void **>(each), n));
  }
  ~AllFields() {
    for (float *each : {current, before, image})
      cudaFree(each);
  }

private:
  float *current = nullptr, *before = nullptr, *image = nullptr;
};

void each_is_freed(int n) {
  float *left, *right;
  for (float **each : {&left, &right})
    cudaMalloc(each, n);
  cudaFree(left);
  cudaFree(right);
}

void filled_and_freed_by_callees(int n) {
  Pair pair;
  fill(pair, n);
  for (float *each : {pair.left, pair.right})
    cudaFree(each);
}

void freed_in_each_round(int n) {
  float *left, *right;
  for (int i = 0; i < n; ++i) {
    for (float **each : {&left, &right})
      cudaMalloc(each, n);
    for (float *each : {left, right})
      cudaFree(each);
  }
}

void one_of_two(int n, bool isLeft) {
  float *left = nullptr, *right = nullptr;
  float **each = isLeft ? &left : &right;
  cudaMalloc(each, n);
  cudaFree(left);
  cudaFree(right);
}

void listed_by_an_array(int n) {
  float *left, *right;
  float **both[] = {&left, &right};
  for (float **each : both)
    cudaMalloc(each, n);
  cudaFree(left);
  cudaFree(right);
}
