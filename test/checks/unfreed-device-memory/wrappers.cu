// A program's own functions that take and free, as in C. What they free is not made room for.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <stdlib.h>

void *device_alloc(size_t n) {
  void *p;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  return p;
}
void device_free(void *p) { cudaFree(p); }

struct Forgets {
  double *rhs;
  double *work;
  cudaStream_t stream;
};
Forgets *forgets_new(int n) {
  Forgets *p = (Forgets *)malloc(sizeof(Forgets));
  p->rhs = (double *)device_alloc(n);
  p->work = (double *)device_alloc(n); // expected-warning {{device memory in 'p->work' is never given back; 'forgets_release' frees}} [tensor-unfreed-device-memory]
  cudaStreamCreate(&p->stream);
  return p;
}
void forgets_release(Forgets *p) { // expected-path {{'forgets_release' is here}}
  device_free(p->rhs);
  cudaStreamDestroy(p->stream);
  free(p);
}

//===-- Near misses ---------------------------------------------------------===//

struct Frees {
  double *rhs;
  cudaStream_t stream;
};
Frees *frees_new(int n) {
  Frees *p = (Frees *)malloc(sizeof(Frees));
  p->rhs = (double *)device_alloc(n);
  cudaStreamCreate(&p->stream);
  return p;
}
void frees_release(Frees *p) {
  device_free(p->rhs);
  cudaStreamDestroy(p->stream);
  free(p);
}
