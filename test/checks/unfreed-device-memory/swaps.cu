// A function of the program's own that swaps two pointers.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

template <typename T> void exchange(T *&a, T *&b) {
  T *old = a;
  a = b;
  b = old;
}

void both_are_freed(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  exchange(a, b);
  cudaFree(a);
  cudaFree(b);
}

void in_rounds(int n) {
  float *front;
  cudaMalloc(&front, n);
  for (; n > 1; n /= 2) {
    float *back;
    cudaMalloc(&back, n);
    exchange(front, back);
    cudaFree(back);
  }
  cudaFree(front);
}

// What takes no part in it is told of.
void a_third_is_not(int n) {
  float *a, *b, *c;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  cudaMalloc(&c, n); // expected-warning {{'c' is not given back}} [tensor-unfreed-device-memory]
  exchange(a, b);
  cudaFree(a); // expected-path {{others are freed here}}
  cudaFree(b);
} // expected-fix {{cudaFree(c);}}

// One that only stores is not a swap.
void hand(float *&to, float *&from) { to = from; }
void overwrites(int n) {
  float *a, *b;
  cudaMalloc(&a, n); // expected-warning {{'a' is overwritten before it is given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&b, n);
  hand(a, b); // expected-path {{it is overwritten here}}
  cudaFree(a);
}
