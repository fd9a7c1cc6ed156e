// Loops up to what a member says, where that is another number in each.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

struct AllOfThem {
  float *levels[12];
  int count;
};

void build(AllOfThem *all, int n) {
  all->count = n;
  for (int i = 0; i < all->count; ++i)
    cudaMalloc(&all->levels[i], 100);
}

void tear_down(AllOfThem *all) {
  for (int i = 0; i < all->count; ++i)
    cudaFree(all->levels[i]);
}

// The last one goes by itself.
struct Popped {
  float *levels[12];
  int count;
};

void build(Popped *all, int n) {
  all->count = n;
  for (int i = 0; i < all->count; ++i)
    cudaMalloc(&all->levels[i], 100);
}

void tear_down(Popped *all) {
  cudaFree(all->levels[--all->count]);
  for (int i = 0; i < all->count - 1; ++i)
    cudaFree(all->levels[i]);
}

struct Closing {
  float *levels[12];
  int count;
};

void build(Closing *all, int n) {
  all->count = n;
  for (int i = 0; i < all->count; ++i)
    cudaMalloc(&all->levels[i], 100);
}

void tear_down(Closing *all) {
  for (int i = 0; i < all->count - 1; ++i)
    cudaFree(all->levels[i]);
  cudaFree(all->levels[all->count - 1]);
}

// One more is counted than there is memory for.
struct Fences {
  float *levels[12];
  int count;
};

void build(Fences *all, int n) {
  all->count = n + 1;
  for (int i = 0; i < all->count - 1; ++i)
    cudaMalloc(&all->levels[i], 100);
}

void tear_down(Fences *all) {
  for (int i = 0; i < all->count - 1; ++i)
    cudaFree(all->levels[i]);
}

// Two places say how many.
struct Shrinking {
  float *levels[12];
  int count;
};

void build(Shrinking *all, int n) {
  all->count = n;
  for (int i = 0; i < all->count; ++i)
    cudaMalloc(&all->levels[i], 100);
}

void add_fence(Shrinking *all, int n) { all->count = n + 1; }

void tear_down(Shrinking *all) {
  for (int i = 0; i < all->count - 1; ++i)
    cudaFree(all->levels[i]);
}
