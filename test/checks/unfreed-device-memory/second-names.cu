// Containers and pointers by a second name: a reference, a structured binding, a pointer that is
// only followed. Who frees them by that name, or later, frees them.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>

#include <memory>
#include <tuple>
#include <vector>

using Buffers = std::vector<float *>;

//===-- Loops over a second name --------------------------------------------===//

void freed_by_a_loop(int n) {
  Buffers owner;
  auto &all = owner;
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
  for (float *each : all)
    cudaFree(each);
}

void freed_by_a_loop_over_another(int n, Buffers &others) {
  Buffers owner;
  auto &all = owner;
  float *p;
  cudaMalloc(&p, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  all.push_back(p);
  auto &theirs = others;
  for (float *each : theirs)
    cudaFree(each); // expected-path {{others are freed here}}
}

//===-- Guards and deleters that were made before ---------------------------===//

struct Guard {
  Buffers &all;
  ~Guard() {
    for (float *p : all)
      cudaFree(p);
  }
};

void freed_by_guard(int n) {
  Buffers owner;
  auto &all = owner;
  Guard guard{all};
  float *p;
  cudaMalloc(&p, n);
  owner.push_back(p);
}

void guard_of_another(int n) {
  Buffers owner, others;
  auto &all = others;
  Guard guard{all};
  float *p;
  cudaMalloc(&p, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  owner.push_back(p);
}

void freed_by_deleter(int n) {
  float *owner = nullptr, *other = nullptr;
  auto &p = owner;
  std::shared_ptr<void> guard(nullptr, [&](void *) { cudaFree(p); });
  cudaMalloc(&owner, n);
  cudaMalloc(&other, n); // expected-warning {{'other' is not given back}} [tensor-unfreed-device-memory]
}

//===-- Structured bindings -------------------------------------------------===//

void freed_by_lambda(int n) {
  auto [p, size] = std::tuple<float *, int>(nullptr, n);
  auto release = [&] { cudaFree(p); };
  cudaMalloc(&p, size);
  release();
}

void taken_by_lambda(int n) {
  auto [p, size] = std::tuple<float *, int>(nullptr, n);
  auto take = [&] { cudaMalloc(&p, n); };
  take();
  cudaFree(p);
}

void taken_by_lambda_and_kept(int n) {
  auto [p, size] = std::tuple<float *, int>(nullptr, n);
  auto take = [&] { cudaMalloc(&p, n); }; // expected-path {{it is allocated here}}
  take(); // expected-warning {{'p' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
}

void asked_together(int coils, int n) {
  auto [p, size] = std::tuple<float *, int>(static_cast<float *>(nullptr), n);
  if (coils > 1)
    cudaMalloc(&p, n);
  if (!(coils > 1 && p != nullptr))
    return;
  cudaFree(p);
}

void asked_of_another(int coils, int n) {
  auto [p, size] = std::tuple<float *, int>(static_cast<float *>(nullptr), n);
  if (coils > 1)
    cudaMalloc(&p, n); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!(coils > 2 && p != nullptr))
    return; // expected-path {{this way out leaves it behind}}
  cudaFree(p); // expected-path {{others are freed here}}
}

int parse(int n) {
  if (n < 0)
    throw n;
  return n;
}

void freed_by_the_handler(int n) {
  auto [p, size] = std::tuple<float *, int>(static_cast<float *>(nullptr), n);
  cudaMalloc(&p, n);
  try {
    cudaMemset(p, 0, parse(n));
  } catch (...) {
    cudaFree(p);
    throw;
  }
  cudaFree(p);
}

int forgotten_by_the_handler(int n) {
  auto [p, size] = std::tuple<float *, int>(static_cast<float *>(nullptr), n);
  cudaMalloc(&p, n); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  try {
    int count = parse(n); // expected-path {{this way out leaves it behind}}
    cudaFree(p); // expected-path {{others are freed here}}
    return count;
  } catch (...) {
    return -1;
  }
}

//===-- An object that is made in memory which is there ------------------------===//

struct Shared {
  Shared();
  int count;
};
Shared *made_there_and_returned() {
  Shared *memory;
  cudaMallocManaged(&memory, sizeof(Shared));
  return new (memory) Shared;
}
void made_there_and_freed() {
  void *memory;
  cudaMallocManaged(&memory, sizeof(Shared));
  Shared *shared = new (memory) Shared;
  shared->~Shared();
  cudaFree(shared);
}
void made_there_and_lost() {
  void *memory;
  cudaMallocManaged(&memory, sizeof(Shared)); // expected-warning {{in 'memory' is not given back before 'made_there_and_lost' returns}} [tensor-unfreed-device-memory]
  Shared *shared = new (memory) Shared;
  shared->count = 1;
} // expected-fix {{cudaFree(memory);}}

//===-- A callee puts what it is given into the record that it returns ---------===//

struct Owned {
  float *memory;
  bool isOwner;
};
static Owned wrapped(float *memory) {
  Owned o{memory, false};
  return o;
}
Owned handed_on_in_a_record(int n) {
  float *memory;
  cudaMalloc(&memory, n);
  auto o = wrapped(memory);
  o.isOwner = true;
  return o;
}
static int size_of(float *memory, int n) { return memory ? n : 0; }
int answered_with_a_number(int n) {
  float *memory;
  cudaMalloc(&memory, n); // expected-warning {{in 'memory' is not given back before 'answered_with_a_number' returns}} [tensor-unfreed-device-memory]
  return size_of(memory, n);
}
