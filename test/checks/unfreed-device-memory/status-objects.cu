// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A function that says by an object of the program's own whether it has taken anything.
#include <cuda_runtime.h>

struct Status {
  int code = 0;
  bool ok() const { return code == 0; }
};

Status load(float *&out, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n) != cudaSuccess) // expected-path {{it is allocated here}}
    return {1};
  if (cudaMemset(p, 0, n) != cudaSuccess) {
    cudaFree(p);
    return {2};
  }
  out = p;
  return {};
}

Status freedWhereItIsHad(int n, bool isLate) {
  float *p = nullptr;
  Status status = load(p, n);
  if (!status.ok())
    return status;
  if (isLate) {
    cudaFree(p);
    return {3};
  }
  cudaFree(p);
  return {};
}

Status lostLater(int n, bool isLate) {
  float *p = nullptr;
  Status status = load(p, n); // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!status.ok())
    return status;
  if (isLate)
    return {3}; // expected-path {{this way out}}
  cudaFree(p); // expected-path {{others are freed here}}
  return {};
}

Status askedAtOnce(int n) {
  float *p = nullptr;
  if (!load(p, n).ok())
    return {3};
  cudaFree(p);
  return {};
}

// The object speaks of the last call that has made it.
Status madeTwice(int n) {
  float *p = nullptr, *q = nullptr;
  Status status = load(p, n); // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!status.ok())
    return status;
  status = load(q, n);
  if (!status.ok())
    return status; // expected-path {{this way out leaves it behind}}
  cudaFree(p); // expected-path {{others are freed here}}
  cudaFree(q);
  return {};
}

Status madeTwiceAndFreed(int n) {
  float *p = nullptr, *q = nullptr;
  Status status = load(p, n);
  if (!status.ok())
    return status;
  status = load(q, n);
  if (!status.ok()) {
    cudaFree(p);
    return status;
  }
  cudaFree(p);
  cudaFree(q);
  return {};
}
