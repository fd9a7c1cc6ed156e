// Lambdas that are called where they stand: what they yield is read as the expression that it
// is, and variables that they refer to keep their values.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

bool ready();

void freed_under_the_same(int coils, int n) {
  float *extra = nullptr;
  if ([&] { return static_cast<bool>(coils > 1); }())
    cudaMalloc(&extra, n);
  if (coils > 1)
    cudaFree(extra);
}

void freed_under_another(int coils, int n) {
  float *extra = nullptr;
  if ([&] { return coils > 1; }())
    cudaMalloc(&extra, n); // expected-warning {{'extra' is not given back}} [tensor-unfreed-device-memory]
  if ([=] { return !(coils > 2); }())
    return; // expected-path {{this way out leaves it behind}}
  cudaFree(extra); // expected-path {{others are freed here}}
}

void freed_where_not_null(int coils, int n) {
  float *extra = nullptr;
  if (coils > 1)
    cudaMalloc(&extra, n);
  if ([&] { return static_cast<bool>(!extra); }())
    return;
  cudaFree(extra);
}

int taken_in_the_condition(int n) {
  float *p = nullptr;
  if ([&] { return cudaMalloc(&p, n) != cudaSuccess; }())
    return 1;
  cudaFree(p);
  return 0;
}

int taken_and_left(int n) {
  float *p = nullptr;
  if ([&] { return cudaMalloc(&p, n) != cudaSuccess; }()) // expected-warning {{'p' is not given back}} [tensor-unfreed-device-memory]
    return 1;
  if ([] { return !ready(); }())
    return 2; // expected-path {{this way out leaves it behind}}
  cudaFree(p); // expected-path {{others are freed here}}
  return 0;
}

// Both ask the same condition, whatever the lambda between them does with another variable.
void counted_between(int coils, int n, const int *sizes) {
  float *extra = nullptr;
  if (coils > 1)
    cudaMalloc(&extra, n);
  const int all = [&] {
    int sum = 0;
    for (int i = 0; i < coils; ++i)
      sum += sizes[i];
    return sum;
  }();
  cudaMemset(extra, 0, all);
  if (extra)
    cudaFree(extra);
}

// What a lambda with more than one statement writes is not known afterwards.
void changed_between(int coils, int n) {
  float *extra = nullptr;
  bool takes = coils > 1;
  if (takes)
    cudaMalloc(&extra, n); // expected-warning {{'extra' is not given back}} [tensor-unfreed-device-memory]
  [&] {
    takes = false;
    takes |= ready();
  }();
  if (takes)
    return;        // expected-path {{this way out leaves it behind}}
  cudaFree(extra); // expected-path {{others are freed here}}
}

void changed_after(int coils, int n) {
  float *extra = nullptr;
  bool takes = coils > 1;
  if (takes)
    cudaMalloc(&extra, n);
  if (takes)
    cudaFree(extra);
  if ([&] { return takes = ready(); }())
    return;
  cudaDeviceSynchronize();
}

void freed_inside(int n, bool keep) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  if ([&] { return cudaFree(p) == cudaSuccess; }())
    ready();
}

void freed_inside_on_some_ways(int n, bool keep) {
  float *p = nullptr;
  cudaMalloc(&p, n);
  [&] { return keep || cudaFree(p) == cudaSuccess; }();
}

void never_freed(int n) {
  float *p = [&] { // expected-warning {{'p' is not given back}} [tensor-unfreed-device-memory]
    float *made = nullptr;
    cudaMalloc(&made, n); // expected-path {{it is allocated here}}
    return made;
  }();
  cudaMemset(p, 0, n);
}
