// Classes that make room for more, and never give back what they hold in the end.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class Argument {
public:
  explicit Argument(size_t bytes) { reserve(bytes); }
  virtual ~Argument() { arena = nullptr; } // expected-path {{'~Argument' is here}}
  void send(const void *host, size_t bytes) {
    reserve(bytes);
    cudaMemcpy(arena, host, bytes, cudaMemcpyHostToDevice);
  }

private:
  void reserve(size_t bytes) {
    if (bytes <= capacity)
      return;
    if (arena)
      cudaFree(arena);
    cudaMalloc(&arena, bytes); // expected-warning {{in 'arena' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
    capacity = bytes;
  }
  size_t capacity = 0;
  void *arena = nullptr;
};

class Forgets {
public:
  ~Forgets() { cudaFree(other); } // expected-path {{'~Forgets' is here}}
  void resize(size_t bytes) {
    cudaFree(data);
    cudaMalloc(&data, bytes); // expected-warning {{'~Forgets' frees 'other' and forgets it}} [tensor-unfreed-device-memory]
  }
  void set_up() {
    if (!other)
      cudaMalloc(&other, 1024);
  }

private:
  float *data = nullptr, *other = nullptr;
};

//===-- Near misses ---------------------------------------------------------===//

class Frees {
public:
  ~Frees() { cudaFree(data); }
  void resize(size_t bytes) {
    cudaFree(data);
    cudaMalloc(&data, bytes);
  }

private:
  float *data = nullptr;
};

// With nothing to hold, it only frees.
class ResizedToNothing {
public:
  ~ResizedToNothing() { clear(); }
  void clear() { resize(0); }
  void resize(size_t bytes) {
    cudaFree(data);
    data = nullptr;
    if (bytes > 0)
      cudaMalloc(&data, bytes);
  }

private:
  float *data = nullptr;
};

class Cleared {
public:
  void clear() {
    cudaFree(data);
    data = nullptr;
  }
  void resize(size_t bytes) {
    cudaFree(data);
    cudaMalloc(&data, bytes);
  }

private:
  float *data = nullptr;
};

// Its users may free it.
struct Open {
  void resize(size_t bytes) {
    cudaFree(data);
    cudaMalloc(&data, bytes); // expected-note {{the class has no destructor}} [tensor-unfreed-device-memory]
  }
  float *data = nullptr;
};
