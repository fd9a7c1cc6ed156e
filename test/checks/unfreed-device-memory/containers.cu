// Pointers that are put into a container of the library: it frees none of them.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <algorithm>
#include <cuda_runtime.h>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

__global__ void kernel(float *data, int n) {}
using Buffers = std::vector<float *>;

//===-- In a function -------------------------------------------------------===//

void never_freed(const std::vector<int> &sizes) {
  Buffers all;
  for (int n : sizes) {
    float *p;
    cudaMalloc(&p, n); // expected-warning {{is not given back before 'never_freed' returns}} [tensor-unfreed-device-memory]
    all.push_back(p);
  }
  for (float *p : all)
    kernel<<<1, 1>>>(p, 1);
}

void freed_by_range(const std::vector<int> &sizes) {
  Buffers all;
  for (int n : sizes) {
    float *p;
    cudaMalloc(&p, n);
    all.emplace_back(p);
  }
  for (float *p : all)
    cudaFree(p);
}

void freed_by_index(int count, int n) {
  Buffers all;
  for (int i = 0; i < count; ++i) {
    float *p = nullptr;
    if (cudaMalloc(&p, n) == cudaSuccess)
      all.push_back(p);
  }
  for (size_t i = 0; i < all.size(); ++i)
    cudaFree(all[i]);
}

void freed_by_iterator(int n) {
  std::deque<float *> all;
  float *p;
  cudaMalloc(&p, n);
  all.push_front(p);
  for (auto it = all.begin(); it != all.end(); ++it)
    cudaFree(*it);
}

void free_at(std::deque<float *>::iterator &it) { cudaFree(*it); }
void freed_by_iterator_of_callee(int n) {
  std::deque<float *> all;
  float *p;
  cudaMalloc(&p, n);
  all.push_front(p);
  for (auto it = all.begin(); it != all.end(); ++it)
    free_at(it);
}

void freed_from_the_back(int n) {
  Buffers all;
  for (int i = 0; i < n; ++i) {
    float *p;
    cudaMalloc(&p, n);
    all.push_back(p);
  }
  while (!all.empty()) {
    cudaFree(all.back());
    all.pop_back();
  }
}

void freed_from_a_queue(int n) {
  std::queue<float *> all;
  float *p;
  cudaMalloc(&p, n);
  all.push(p);
  float *first = all.front();
  all.pop();
  cudaFree(first);
}

void freed_by_algorithm(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  std::for_each(all.begin(), all.end(), [](float *each) { cudaFree(each); });
}

void freed_by_lambda(int n) {
  Buffers all;
  auto release = [&] {
    for (float *each : all)
      cudaFree(each);
  };
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  release();
}

void freed_in_another(int n) {
  Buffers all, later;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  later = std::move(all);
  for (float *each : later)
    cudaFree(each);
}

void freed_after_swap(int n) {
  Buffers all, later;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  later.swap(all);
  for (float *each : later)
    cudaFree(each);
}

void freed_after_swapping_in(int n) {
  Buffers all, later;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  all.swap(later);
  for (float *each : later)
    cudaFree(each);
}

void not_freed_in_another(int n) {
  Buffers all, later;
  float *p;
  cudaMalloc(&p, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  all.push_back(p);
  later = all;
  kernel<<<1, 1>>>(later[0], n);
}

void freed_by_callee(Buffers &all) {
  for (float *each : all)
    cudaFree(each);
}
void frees_by_callee(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  freed_by_callee(all);
}

// The guards are made first, and free what the list holds in the end.
struct Guard {
  Buffers &all;
  ~Guard() {
    for (float *p : all)
      cudaFree(p);
  }
};
void freed_by_guard(int n) {
  Buffers all;
  Guard guard{all};
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
}

void freed_by_deleter(int n) {
  Buffers all;
  float *single = nullptr;
  std::shared_ptr<void> guard(nullptr, [&](void *) {
    cudaFree(single);
    for (float *p : all)
      cudaFree(p);
  });
  cudaMalloc(&single, n);
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
}

void not_freed_by_deleter(int n) {
  Buffers all;
  float *single = nullptr;
  std::shared_ptr<void> guard(nullptr, [&](void *) { cudaFree(single); });
  float *p;
  cudaMalloc(&single, n);
  cudaMalloc(&p, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  all.push_back(p);
}

//===-- Given away ----------------------------------------------------------===//

Buffers returned(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  all.push_back(p);
  return all;
}

void not_freed_by_caller(int n) {
  Buffers all = returned(n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  kernel<<<1, 1>>>(all[0], n);
}

void freed_by_caller(int n) {
  for (float *p : returned(n))
    cudaFree(p);
}

void unseen(const Buffers &all);
void unseen_array(float **all, int count);
void unseen_range(Buffers::iterator from, Buffers::iterator to);
struct Owner {
  explicit Owner(Buffers all);
};

void given_to_unseen(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  unseen(all);
}

void given_as_array(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  unseen_array(all.data(), 1);
}

void given_as_range(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  unseen_range(all.begin(), all.end());
}

std::unique_ptr<Owner> given_to_owner(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  return std::make_unique<Owner>(std::move(all));
}

void given_to_another(std::vector<Buffers> &groups, int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  groups.push_back(all);
}

void appended(Buffers &to, int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  to.insert(to.end(), all.begin(), all.end());
}

std::function<void()> released_later(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  return [all] {
    for (float *each : all)
      cudaFree(each);
  };
}

/// The same by algorithms: within a deleter, and in a lambda whose list is const.
void freed_by_algorithm_in_deleter(int n) {
  Buffers all;
  std::shared_ptr<void> guard(nullptr, [&](void *) {
    std::for_each(std::begin(all), std::end(all), [](float *p) { cudaFree(p); });
  });
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
}

std::function<void()> released_later_by_algorithm(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  return [all] {
    std::for_each(std::begin(all), std::end(all), [](float *each) { cudaFree(each); });
  };
}

std::function<size_t()> counted_later(int n) {
  Buffers all;
  float *p;
  cudaMalloc(&p, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  all.push_back(p);
  return [all] { return all.size(); };
}
