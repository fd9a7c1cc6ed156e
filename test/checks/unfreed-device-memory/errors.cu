// Names that the compiler does not know (a header is missing): what it has kept of the
// expressions is looked at, and an unknown function that gets the pointer may free it.
//
// RUN: not %tensorleak check %s --level note --cuda-path none --checks=-*,tensor-unfreed-device-memory -- >%t.out
// RUN: FileCheck %s --implicit-check-not="in 'a'" <%t.out
#include <cuda_runtime.h>

#include "no_such_header.h"

void forgets(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  // CHECK: errors.cu:[[@LINE+1]]:3: warning: device memory in 'b'
  cudaMalloc(&b, n);
  if (NotDeclared(n) != Neither)
    n = 0;
  cudaFree(a);
}

void may_be_freed_unseen(int n) {
  float *a;
  cudaMalloc(&a, n);
  if (n > NotDeclared)
    Neither::free_all(a);
}

// A macro that is missing around a call hides nothing.
void unknown_macro(int n) {
  float *a;
  NOT_A_MACRO(cudaMalloc(&a, n));
  NOT_A_MACRO(cudaFree(a));
}
