// Containers that a function reaches through a pointer, and pointers that go from element to
// element.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

static void fill(std::vector<float *> &all, int n) {
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i], 1024); // expected-path {{it is allocated here}}
}

//===-- All of them are given back -----------------------------------------------===//

static void drain_the_back(std::vector<float *> *all) {
  while (!all->empty()) {
    cudaFree(all->back());
    all->pop_back();
  }
}

static void drain_the_front(std::vector<float *> *all) {
  while (!all->empty()) {
    cudaFree((*all)[0]);
    all->erase(all->begin());
  }
}

static void drain_by_number(std::vector<float *> &all) {
  while (!all.empty()) {
    cudaFree(all[0]);
    all.erase(all.begin());
  }
}

static void free_each(std::vector<float *> *all) {
  for (size_t i = 0; i < all->size(); ++i)
    cudaFree(all->at(i));
}

static void free_iterated(std::vector<float *> *all) {
  for (auto it = all->begin(); it != all->end(); ++it)
    cudaFree(*it);
}

void drained(int n) {
  std::vector<float *> back(n), front(n), number(n), each(n), iterated(n);
  fill(back, n);
  fill(front, n);
  fill(number, n);
  fill(each, n);
  fill(iterated, n);
  drain_the_back(&back);
  drain_the_front(&front);
  drain_by_number(number);
  free_each(&each);
  free_iterated(&iterated);
}

//===-- Some are not ----------------------------------------------------------------===//

static void use_each(std::vector<float *> *all) {
  for (size_t i = 0; i < all->size(); ++i)
    cudaMemset(all->at(i), 0, 1024);
}

void used(int n) {
  std::vector<float *> all(n);
  fill(all, n); // expected-warning {{'all[]' is not given back before 'used' returns}} [tensor-unfreed-device-memory]
  use_each(&all);
}

//===-- Pointers to elements -------------------------------------------------------===//

void freed_by_a_pointer(int n) {
  float *buffers[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(buffers + i, n);
  for (float **p = buffers; p != buffers + 8; ++p)
    cudaFree(*p);
}

void one_by_a_pointer(int n) {
  float *buffers[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(buffers + i, n); // expected-warning {{'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  float **p = buffers;
  cudaFree(*p); // expected-path {{only single ones are given back, as here}}
}
