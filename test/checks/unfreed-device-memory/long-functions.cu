// RUN: %check_tensor %s
//
// In a long function, what was given back is forgotten where all ways pass. What is still owned
// there is not, nor what was given back on some of the ways only.
#include <cuda_runtime.h>
#include <vector>
bool ask();
void step();

void one_of_many_is_left(int n) {
  void *a = nullptr;
  cudaMalloc(&a, n);
  cudaFree(a);
  if (n > 3)
    cudaMemset(a, 0, 1);
  void *b = nullptr;
  cudaMalloc(&b, n); // expected-warning {{device memory in 'b' is not given back before 'one_of_many_is_left' returns}} [tensor-unfreed-device-memory]
  for (int i = 0; i < n; ++i)
    cudaMemset(b, 0, 1);
  void *c = nullptr;
  cudaMalloc(&c, n);
  if (n > 3)
    cudaMemset(c, 0, 1);
  cudaFree(c); // expected-path {{others are freed here}}
} // expected-fix {{cudaFree(b);}}

void taken_again_behind_a_passage(int n) {
  void *p = nullptr;
  cudaMalloc(&p, n);
  cudaFree(p); // expected-path {{others are freed here}}
  if (n > 3)
    cudaMemset(p, 0, 1);
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'taken_again_behind_a_passage' returns}} [tensor-unfreed-device-memory]
  for (int i = 0; i < n; ++i)
    cudaMemset(p, 0, 1);
}

void freed_on_some_ways_only(int n) {
  void *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (n > 3)
    cudaFree(p); // expected-path {{others are freed here}}
  if (n > 5)
    step();
  for (int i = 0; i < n; ++i)
    step();
} // expected-path {{this way out leaves it behind}}

void freed_under_the_same_condition_much_later(int n) {
  void *p = nullptr;
  const bool wanted = n > 3;
  if (wanted)
    cudaMalloc(&p, n);
  for (int i = 0; i < n; ++i)
    step();
  if (n > 5)
    step();
  if (wanted)
    cudaFree(p);
}

void counted_and_asked_later(int n) {
  void *p = nullptr;
  int i = 0;
  for (; i < n; ++i)
    if (ask())
      break;
  if (i == n)
    cudaMalloc(&p, n);
  cudaMemset(p, 0, 1);
  for (int k = 0; k < n; ++k)
    step();
  if (i == n)
    cudaFree(p);
}

void aliased_and_freed_late(int n) {
  void *p = nullptr;
  cudaMalloc(&p, n);
  void **q = &p;
  if (n > 3)
    step();
  for (int i = 0; i < n; ++i)
    step();
  cudaFree(*q);
}

void stored_for_others(int n, void **out) {
  void *p = nullptr;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  *out = p;
  if (n > 3)
    step();
  for (int i = 0; i < n; ++i)
    step();
}
void caller_of_stored_for_others(int n) {
  void *mine = nullptr;
  stored_for_others(n, &mine); // expected-warning {{device memory in 'mine' is not given back before 'caller_of_stored_for_others' returns}} [tensor-unfreed-device-memory]
  cudaMemset(mine, 0, 1);
} // expected-fix {{cudaFree(mine);}}

void emptied_in_a_loop(int n) {
  std::vector<void *> all;
  for (int i = 0; i < n; ++i) {
    void *p = nullptr;
    cudaMalloc(&p, n);
    all.push_back(p);
  }
  while (!all.empty()) {
    cudaFree(all.back());
    all.pop_back();
  }
}

void freed_at_the_end_of_some_ways(bool wanted, int n) {
  void *p = nullptr;
  if (wanted)
    cudaMalloc(&p, n);
  step();
  if (wanted && p != nullptr)
    do {
      cudaFree(p);
    } while (false);
}
