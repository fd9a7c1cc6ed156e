// What a variable of a thread holds when the thread ends.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <thread>

struct Scratch {
  float *data = nullptr;
  size_t size = 0;
};

//===-- Only what another takes the place of is given back ----------------------------===//

thread_local Scratch scratch;

float *grown(size_t n) {
  Scratch &own = scratch;
  if (own.size < n) {
    if (own.data)
      cudaFree(own.data);
    own.data = nullptr;
    cudaMalloc(&own.data, n); // expected-note {{device memory in 'scratch.data' is given back only where another takes its place, and each thread that ends leaves its last one behind}} [tensor-unfreed-device-memory]
    own.size = n;
  }
  return own.data;
}

void work(size_t n) { cudaMemset(grown(n), 0, n); }

void run() {
  std::thread worker([] { work(1024); });
  worker.join();
}

static thread_local float *plain = nullptr;

void renew(size_t n) {
  cudaFree(plain);
  cudaMalloc(&plain, n); // expected-note {{device memory in 'plain' is given back only where another takes its place}} [tensor-unfreed-device-memory]
}

//===-- Near misses ---------------------------------------------------------------------===//

// The object that ends with the thread gives it back.
struct Owner {
  float *data = nullptr;
  size_t size = 0;
  ~Owner() { cudaFree(data); }
};

float *owned(size_t n) {
  thread_local Owner owner;
  if (owner.size < n) {
    cudaFree(owner.data);
    cudaMalloc(&owner.data, n);
    owner.size = n;
  }
  return owner.data;
}

// The thread does it, at its end.
struct Closed {
  float *data = nullptr;
};

thread_local Closed closed;

void fill(size_t n) {
  cudaFree(closed.data);
  cudaMalloc(&closed.data, n);
}

void close() {
  cudaFree(closed.data);
  closed.data = nullptr;
}

// One for the program.
struct Shared {
  float *data = nullptr;
  size_t size = 0;
};

static Shared shared;

float *of_program(size_t n) {
  if (shared.size < n) {
    cudaFree(shared.data);
    cudaMalloc(&shared.data, n);
    shared.size = n;
  }
  return shared.data;
}
