// A function of the program's own that swaps two pointers.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>

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

//===-- A member and a local, whose data was written before -----------------===//

struct Grid {
  int *cost = nullptr;
  int width = 0;
  ~Grid() { cudaFree(cost); }
  void load(int n) {
    int *fresh;
    cudaMallocManaged(&fresh, n * sizeof(int)); // expected-note {{device memory in 'cost' is taken anew by each call of 'load', and a second one for the same object loses the one before}} [tensor-unfreed-device-memory]
    for (int i = 0; i < n; ++i)
      fresh[i] = i;
    *fresh = 0;
    std::swap(cost, fresh);
    width = n;
  }
};
struct FreedGrid {
  int *cost = nullptr;
  int width = 0;
  ~FreedGrid() { cudaFree(cost); }
  void load(int n) {
    int *fresh;
    cudaMallocManaged(&fresh, n * sizeof(int));
    fresh[0] = 0;
    std::swap(cost, fresh);
    cudaFree(fresh);
    width = n;
  }
};
// What lies behind the pointers changes places with them.
struct Node {
  float *data;
};
void of_objects(int n) {
  Node *a = new Node, *b = new Node;
  cudaMalloc(&a->data, n);
  cudaMalloc(&b->data, n);
  std::swap(a, b);
  cudaFree(a->data);
  cudaFree(b->data);
  delete a;
  delete b;
}
