// The missing call that frees: applied, compiled, and checked again. Where the call could
// change what the program does, none is written.
//
// RUN: cp %s %t.cpp
// RUN: not %tensorleak check --fix --no-cache %t.cpp -- -std=c++17 -isystem %S/../../share/cuda >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=SAID <%t.err
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: %clangxx -fsyntax-only -w -std=c++17 -isystem %S/../../share/cuda %t.cpp
// RUN: not %tensorleak check -q --no-cache %t.cpp -- -std=c++17 -isystem %S/../../share/cuda | FileCheck %t.cpp --check-prefix=AGAIN --implicit-check-not='warning: device'
//
// The first of the two in both() has the call for the other too.
// SAID: 3 findings fixed in 1 file
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECKED(call)                                                                              \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      std::exit(1);                                                                                \
  } while (0)

// CHECK-LABEL: int both(
int both(int n) {
  float *in, *out;
  int done = 0;
  CHECKED(cudaMalloc((void **)&in, n));
  if (cudaMalloc((void **)&out, n) != cudaSuccess) {
    std::puts("no memory");
  }
  cudaMemset(in, 0, n);
  cudaMemset(out, 0, n);
  // CHECK: cudaFree(in);
  // CHECK-NEXT: cudaFree(out);
  // CHECK-NEXT: return done;
  return done;
}

// CHECK-LABEL: void returns_nothing(
void returns_nothing(int n) {
  float *device = nullptr;
  cudaMalloc((void **)&device, n);
  cudaMemset(device, 0, n);
  // CHECK: {{^}}  cudaFree(device);
  // CHECK-NEXT: }
}

// CHECK-LABEL: void laid_out_wide(
void laid_out_wide(int n)
{
        float *device = nullptr;
        cudaMalloc((void **)&device, n);
        cudaMemset(device, 0, n);
        // CHECK: {{^}}        cudaFree(device);
        // CHECK-NEXT: {{^}}}
}

// A condition decides whether there is memory.
// CHECK-LABEL: void sometimes(
void sometimes(int n) {
  // CHECK-NOT: cudaFree
  float *p;
  if (n > 4) {
    cudaMalloc((void **)&p, n); // AGAIN: [[@LINE]]:5: warning:
    cudaMemset(p, 0, n);
  }
}

// There is another way out.
int early(int n) {
  float *p;
  cudaMalloc((void **)&p, n); // AGAIN: [[@LINE]]:3: warning:
  if (n > 4)
    return 1;
  cudaMemset(p, 0, n);
  return 0;
}

// The variable no longer holds what was allocated.
void moved(int n) {
  float *p;
  cudaMalloc((void **)&p, n); // AGAIN: [[@LINE]]:3: warning:
  p += 4;
  cudaMemset(p, 0, n - 4);
}

// What is returned is read after it would be freed.
float managed(int n) {
  float *p;
  cudaMallocManaged((void **)&p, n); // AGAIN: [[@LINE]]:3: warning:
  cudaMemset(p, 0, n);
  return p[0];
}

float referred(int n) {
  float *p;
  cudaMallocManaged((void **)&p, n); // AGAIN: [[@LINE]]:3: warning:
  float &first = *p;
  cudaMemset(p, 0, n);
  return first;
}

// Memory of a stream needs the stream too.
void ordered(int n, cudaStream_t s) {
  float *p;
  cudaMallocAsync((void **)&p, n, s); // AGAIN: [[@LINE]]:3: warning:
  cudaMemsetAsync(p, 0, n, s);
}
