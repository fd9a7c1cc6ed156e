// Arrays and containers whose elements a loop fills: one is given back, or the loop runs again.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

//===-- Single ones are given back ------------------------------------------===//

void only_the_first(int n) {
  float *buffers[4];
  for (int i = 0; i < 4; ++i)
    cudaMalloc(&buffers[i], n); // expected-warning {{in 'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  cudaMemset(buffers[0], 0, n);
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
}

void two_of_many(int n) {
  std::vector<cudaEvent_t> events(n);
  for (auto &event : events)
    cudaEventCreate(&event); // expected-warning {{an event in 'events[]' is taken in each round}} [tensor-unfreed-device-memory]
  cudaEventRecord(events[0]);
  cudaEventDestroy(events[0]); // expected-path {{only single ones are given back}}
  cudaEventDestroy(events[1]);
}

struct Manager {
  Manager() {
    for (int i = 0; i < 4; i++)
      cudaStreamCreate(streams + i); // expected-warning {{a stream in 'streams[]' is taken in each round}} [tensor-unfreed-device-memory]
  }
  ~Manager() { cudaStreamDestroy(streams[0]); } // expected-path {{only single ones are given back}}
  cudaStream_t streams[4];
};

static void make(float **to, int n) {
  cudaMalloc(to, n); // expected-path {{it is allocated here}}
}

void by_a_function(int n) {
  float *buffers[3];
  int i;
  for (i = 0; i < 3; i += 1)
    make(&buffers[i], n); // expected-warning {{in 'buffers[]' is taken in each round}} [tensor-unfreed-device-memory]
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
  cudaFree(buffers[1]);
}

void counted_by_while(int n) {
  float *buffers[4];
  int i = 0;
  while (i < 4) {
    cudaMalloc(&buffers[i], n); // expected-warning {{in 'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
    ++i;
  }
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
}

void counted_from_outside(int n) {
  float *buffers[4];
  int i = 0;
  for (; i < 4; ++i)
    cudaMalloc(&buffers[i], n); // expected-warning {{in 'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
}

// Near misses: each of them is given back.

void counted_by_while_and_freed(int n) {
  float *buffers[4];
  int i = 0;
  while (i < 4) {
    cudaMalloc(&buffers[i], n);
    ++i;
  }
  i = 0;
  while (i < 4) {
    cudaFree(buffers[i]);
    i++;
  }
}

// How often it runs is not known: the counter jumps, or begins elsewhere.
void jumps_in_a_while(int n, bool again(int)) {
  float *buffers[4] = {};
  int i = 0;
  while (i < 4) {
    cudaMalloc(&buffers[0], n);
    if (again(i))
      i = 3;
    cudaFree(buffers[0]);
    ++i;
  }
}

void begins_elsewhere(int n, int i) {
  float *buffers[4];
  while (i < 4) {
    cudaMalloc(&buffers[i], n);
    ++i;
  }
  cudaFree(buffers[3]);
}

void both(int n) {
  float *buffers[2];
  for (int i = 0; i < 2; ++i)
    cudaMalloc(&buffers[i], n);
  cudaFree(buffers[0]);
  cudaFree(buffers[1]);
}

void first_and_the_others(int n) {
  float *buffers[4];
  for (int i = 0; i < 4; ++i)
    cudaMalloc(&buffers[i], n);
  cudaFree(buffers[0]);
  for (int i = 1; i < 4; ++i)
    cudaFree(buffers[i]);
}

void from_the_front(int n) {
  std::vector<float *> buffers(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&buffers[i], 1024);
  while (!buffers.empty()) {
    cudaFree(buffers[0]);
    buffers.erase(buffers.begin());
  }
}

void all_in_one(int n, bool first) {
  float *buffers[4];
  for (int i = 0; i < 4; ++i)
    if (i == 0 && first)
      cudaMalloc(&buffers[i], n);
  if (first)
    cudaFree(buffers[0]);
}

struct Pair {
  Pair() {
    for (int i = 0; i < 2; ++i)
      cudaStreamCreate(&streams[i]);
  }
  ~Pair() {
    cudaStreamDestroy(streams[0]);
    cudaStreamDestroy(streams[1]);
  }
  cudaStream_t streams[2];
};

//===-- The loop runs again -------------------------------------------------===//

class Pyramid {
public:
  ~Pyramid() {
    for (float *level : levels)
      cudaFree(level);
  }
  void build(int n) {
    levels.resize(5);
    for (int i = 0; i < 5; ++i) {
      cudaMalloc(&levels[i], n); // expected-path {{it is allocated here}}
      n /= 2;
    }
  }

private:
  std::vector<float *> levels;
};

void for_each_size(const std::vector<int> &sizes) {
  Pyramid pyramid;
  for (int n : sizes)
    pyramid.build(n); // expected-warning {{in 'pyramid.levels[]' is taken anew in each round}} [tensor-unfreed-device-memory]
}

class Rings {
public:
  explicit Rings(int n) { create(n); }
  ~Rings() {
    for (int i = 0; i < 2; ++i)
      cudaFree(rings[i]);
  }
  void resize(int n) {
    create(n); // expected-path {{called here after it was made once}}
  }

private:
  void create(int n) {
    for (int i = 0; i < 2; ++i)
      cudaMalloc(&rings[i], n); // expected-warning {{in 'rings' replaces what it held before}} [tensor-unfreed-device-memory]
  }
  float *rings[2];
};

// Near misses: given back before, asked for before, or put behind the others.

class Rebuilt {
public:
  ~Rebuilt() { clear(); }
  void build(int n) {
    clear();
    levels.resize(5);
    for (int i = 0; i < 5; ++i)
      cudaMalloc(&levels[i], n);
  }

private:
  void clear() {
    for (float *level : levels)
      cudaFree(level);
    levels.clear();
  }
  std::vector<float *> levels;
};

class BuiltOnce {
public:
  ~BuiltOnce() {
    for (float *level : levels)
      cudaFree(level);
  }
  void build(int n) {
    if (!levels.empty())
      return;
    levels.resize(5);
    for (int i = 0; i < 5; ++i)
      cudaMalloc(&levels[i], n);
  }

private:
  std::vector<float *> levels;
};

class Appended {
public:
  ~Appended() {
    for (float *level : levels)
      cudaFree(level);
  }
  void build(int n) {
    for (int i = 0; i < 5; ++i) {
      float *level;
      cudaMalloc(&level, n);
      levels.push_back(level);
    }
  }
  void behind(int n) {
    const int first = levels.size();
    levels.resize(first + 5);
    for (int i = first; i < first + 5; ++i)
      cudaMalloc(&levels[i], n);
  }

private:
  std::vector<float *> levels;
};

void near_misses(const std::vector<int> &sizes) {
  Rebuilt rebuilt;
  BuiltOnce once;
  Appended appended;
  for (int n : sizes) {
    rebuilt.build(n);
    once.build(n);
    appended.build(n);
    appended.behind(n);
  }
}

//===-- A callee fills the element that it is told ---------------------------===//

static void fill(std::vector<float *> &buffers, int at, int n) {
  cudaMalloc(&buffers[at], n); // expected-path {{it is allocated here}}
}
void filled_by_a_callee(int n) {
  std::vector<float *> buffers(4);
  for (int i = 0; i < 4; ++i)
    fill(buffers, i, n); // expected-warning {{in 'buffers[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  cudaFree(buffers[0]); // expected-path {{only single ones are given back}}
}
void filled_by_a_callee_and_freed(int n) {
  std::vector<float *> buffers(4);
  for (int i = 0; i < 4; ++i)
    fill(buffers, i, n);
  for (int i = 0; i < 4; ++i)
    cudaFree(buffers[i]);
}
void one_filled_by_a_callee(int n, int at) {
  std::vector<float *> buffers(4);
  fill(buffers, at, n);
  cudaFree(buffers[at]);
}
