// The remainder of a number is one of so many: a loop with more rounds fills each element again.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <vector>

struct Block {
  float *data = nullptr;
  size_t count = 0;
};

static Block take(size_t n) {
  Block made;
  cudaMalloc(&made.data, n * sizeof(float)); // expected-path {{it is allocated here}}
  made.count = n;
  return made;
}

class Ring {
public:
  ~Ring() {
    for (float *p : slots_)
      cudaFree(p);
  }
  void load(int step, size_t n) {
    cudaMalloc(&slots_[step % 4], n); // expected-warning {{device memory in 'slots_' is taken anew by each call of 'load', and a second one for the same element loses the one before; call 'cudaFree' first}} [tensor-unfreed-device-memory] expected-path {{callers say here which element it is}}
  }

private:
  float *slots_[4] = {};
};

class Levels {
public:
  Levels() : levels_(4) {}
  ~Levels() {
    for (Block &level : levels_)
      cudaFree(level.data);
  }
  void load(int step, size_t n) {
    levels_[step % 4] = take(n); // expected-warning {{device memory in 'levels_' is taken anew by each call of 'load', and a second one for the same element loses the one before; call 'cudaFree' first}} [tensor-unfreed-device-memory] expected-path {{callers say here which element it is}}
  }

private:
  std::vector<Block> levels_;
};

void drive() {
  Ring ring;
  Levels levels;
  for (int i = 0; i < 20; ++i) {
    ring.load(i, 1 << 20);
    levels.load(i, 1 << 20);
  }
}

//===-- Near misses -----------------------------------------------------------------===//

// Each is filled once.
class Table {
public:
  ~Table() {
    for (float *p : slots_)
      cudaFree(p);
  }
  void load(int step, size_t n) { cudaMalloc(&slots_[step % 8], n); }

private:
  float *slots_[8] = {};
};

// What was there is freed first.
class Freed {
public:
  Freed() : levels_(4) {}
  ~Freed() {
    for (auto &level : levels_)
      cudaFree(level.second);
  }
  void load(int step, size_t n) {
    cudaFree(levels_[step % 4].second);
    cudaMalloc(&levels_[step % 4].second, n);
  }

private:
  std::vector<std::pair<int, float *>> levels_;
};

// Each round has a ring of its own.
class Short {
public:
  ~Short() {
    for (float *p : slots_)
      cudaFree(p);
  }
  void load(int step, size_t n) { cudaMalloc(&slots_[step % 4], n); }

private:
  float *slots_[4] = {};
};

void driveOthers() {
  Table table;
  Freed freed;
  for (int i = 0; i < 8; ++i) {
    table.load(i, 1 << 20);
    freed.load(i, 1 << 20);
  }
  for (int i = 0; i < 20; ++i) {
    Short slots;
    slots.load(i, 1 << 20);
  }
}
