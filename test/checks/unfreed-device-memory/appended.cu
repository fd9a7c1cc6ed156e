// Lists that a loop fills with push_back, of which single elements are given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

void only_the_first(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    cudaMalloc(&p, 1024); // expected-warning {{in 'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
    buffers.push_back(p);
  }
  cudaMemset(buffers[0], 0, 1024);
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
}

void only_the_last(int n) {
  std::vector<cudaStream_t> streams;
  for (int i = 0; i < n; ++i) {
    cudaStream_t s;
    cudaStreamCreate(&s); // expected-warning {{a stream in 'streams[]' is taken in each round}} [tensor-unfreed-device-memory]
    streams.push_back(s);
  }
  cudaStreamSynchronize(streams.back());
  cudaStreamDestroy(streams.back()); // expected-path {{only single ones are given back}}
}

static float *make(int n) {
  float *p;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  return p;
}

void by_a_function(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < 3; ++i)
    buffers.push_back(make(n)); // expected-warning {{in 'buffers[]' is taken in each round}} [tensor-unfreed-device-memory]
  cudaFree(buffers.at(0)); // expected-path {{only single ones are given back}}
  cudaFree(buffers.at(2));
}

class Pool {
public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) {
      void *p;
      cudaMalloc(&p, 256); // expected-warning {{in 'blocks[]' is taken in each round}} [tensor-unfreed-device-memory]
      blocks.push_back(p);
    }
  }
  ~Pool() { cudaFree(blocks.front()); } // expected-path {{only single ones are given back}}

private:
  std::vector<void *> blocks;
};

// Near misses: each is given back, or nobody can tell.

void all(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i)
    buffers.push_back(make(n));
  cudaMemset(buffers[0], 0, n);
  for (float *p : buffers)
    cudaFree(p);
}

void first_and_the_others(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i)
    buffers.push_back(make(n));
  cudaFree(buffers[0]);
  for (int i = 1; i < n; ++i)
    cudaFree(buffers[i]);
}

void from_the_end(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i)
    buffers.push_back(make(n));
  while (!buffers.empty()) {
    cudaFree(buffers.back());
    buffers.pop_back();
  }
}

void both_of_two(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < 2; ++i)
    buffers.push_back(make(n));
  cudaFree(buffers.back());
  buffers.pop_back();
  cudaFree(buffers.back());
}

void one_of_each_kind(const std::vector<int> &sizes) {
  std::vector<float *> buffers;
  for (int n : sizes) // which has two elements
    buffers.push_back(make(n));
  cudaFree(buffers[0]);
  cudaFree(buffers[1]);
}

void perhaps_one(int n, bool first) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i)
    if (first && i == 0)
      buffers.push_back(make(n));
  if (first)
    cudaFree(buffers[0]);
}

// Each call of the method finds another one at the end.
class Shrinking {
public:
  explicit Shrinking(int n) {
    for (int i = 0; i < n; ++i) {
      void *p;
      cudaMalloc(&p, 256);
      blocks.push_back(p);
    }
  }
  ~Shrinking() {
    while (!blocks.empty())
      drop();
  }
  void drop() {
    cudaFree(blocks.back());
    blocks.pop_back();
  }

private:
  std::vector<void *> blocks;
};

//===-- A callee puts one there in each round -------------------------------===//

static void append(std::vector<float *> &buffers, int n) {
  float *p;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  buffers.push_back(p);
}
void by_a_callee(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i)
    append(buffers, n); // expected-warning {{in 'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
}

void by_a_callee_that_is_called_once(int n) {
  std::vector<float *> buffers;
  append(buffers, n);
  cudaFree(buffers[0]);
}
static void free_the_first(std::vector<float *> &buffers) {
  cudaFree(buffers[0]);
  buffers.erase(buffers.begin());
}
void freed_by_a_callee_from_the_front(int n) {
  std::vector<float *> buffers;
  for (int i = 0; i < n; ++i)
    append(buffers, n);
  while (!buffers.empty())
    free_the_first(buffers);
}

//===-- In records -------------------------------------------------------------------===//

struct Level {
  int size;
  float *data;
};

class Levels {
public:
  explicit Levels(int depth) {
    for (int i = 0; i < depth; ++i) {
      Level level;
      level.size = i;
      cudaMalloc(&level.data, 64); // expected-warning {{64 B of device memory in 'levels_[].data' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
      levels_.push_back(level);
    }
  }
  Levels(const Levels &) = delete;
  ~Levels() {
    for (size_t i = 0; i + 1 < levels_.size(); ++i)
      cudaFree(levels_[i].data); // expected-path {{only single ones are given back, as here}}
  }

private:
  std::vector<Level> levels_;
};

class AllLevels {
public:
  explicit AllLevels(int depth) {
    for (int i = 0; i < depth; ++i) {
      Level level;
      cudaMalloc(&level.data, 64);
      levels_.push_back(level);
    }
  }
  AllLevels(const AllLevels &) = delete;
  ~AllLevels() {
    for (size_t i = 0; i < levels_.size(); ++i)
      cudaFree(levels_[i].data);
  }

private:
  std::vector<Level> levels_;
};
