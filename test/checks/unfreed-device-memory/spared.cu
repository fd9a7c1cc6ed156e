// A loop that gives back all elements but the first or the last ones, and single elements of which
// only the program knows the number.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

void all_but_the_first(float *host, int n) {
  std::vector<float *> all(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i], 1024); // expected-warning {{in 'all[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
  for (int i = 1; i < n; ++i)
    cudaFree(all[i]); // expected-path {{only single ones are given back, as here}}
}

void first_by_itself(float *host, int n) {
  std::vector<float *> all(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i], 1024);
  cudaFree(all[0]);
  for (int i = 1; i < n; ++i)
    cudaFree(all[i]);
}

void turned_round(int n) {
  float *all[16];
  for (int i = 0; 16 > i; ++i)
    cudaMalloc(&all[i], n); // expected-warning {{not all of it is given back}} [tensor-unfreed-device-memory]
  for (int i = 1; 16 > i; ++i)
    cudaFree(all[i]); // expected-path {{only single ones are given back, as here}}
}

// What counts from one is freed from one.
void counts_from_one(int n) {
  float *all[16];
  for (int i = 1; i < n; ++i)
    cudaMalloc(&all[i], 1024);
  for (int i = 1; i < n; ++i)
    cudaFree(all[i]);
}

class Streams {
public:
  explicit Streams(int n) {
    for (int i = 0; i < n; ++i) {
      cudaStream_t stream;
      cudaStreamCreate(&stream); // expected-warning {{in 'all[]' is taken in each round of a loop}} [tensor-unfreed-device-memory]
      all.push_back(stream);
    }
  }
  ~Streams() {
    for (size_t i = 0; i < all.size() - 1; ++i)
      cudaStreamDestroy(all[i]); // expected-path {{only single ones are given back, as here}}
  }

private:
  std::vector<cudaStream_t> all;
};

// The first one is the default stream, which nobody creates.
class StreamsAndDefault {
public:
  explicit StreamsAndDefault(int n) {
    all.push_back(nullptr);
    for (int i = 0; i < n; ++i) {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      all.push_back(stream);
    }
  }
  ~StreamsAndDefault() {
    for (size_t i = 1; i < all.size(); ++i)
      cudaStreamDestroy(all[i]);
  }

private:
  std::vector<cudaStream_t> all;
};

// The others go in another method.
class InTwoSteps {
public:
  explicit InTwoSteps(int n) {
    for (int i = 0; i < n; ++i) {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      all.push_back(stream);
    }
  }
  ~InTwoSteps() { cudaStreamDestroy(all[0]); }
  void close() {
    for (size_t i = 1; i < all.size(); ++i)
      cudaStreamDestroy(all[i]);
  }

private:
  std::vector<cudaStream_t> all;
};

//===-- One of those ------------------------------------------------------===//

class PingPong {
public:
  PingPong() {
    for (int i = 0; i < 2; ++i)
      cudaMalloc(&buffers[i], 1024); // expected-warning {{in 'buffers[]' is taken in each round of a loop}} [tensor-unfreed-device-memory]
  }
  ~PingPong() { cudaFree(buffers[current]); } // expected-path {{only single ones are given back, as here}}
  void turn() { current = 1 - current; }

private:
  float *buffers[2];
  int current = 0;
};

class BothOfThem {
public:
  BothOfThem() {
    for (int i = 0; i < 2; ++i)
      cudaMalloc(&buffers[i], 1024);
  }
  ~BothOfThem() {
    cudaFree(buffers[current]);
    cudaFree(buffers[1 - current]);
  }
  void turn() { current = 1 - current; }

private:
  float *buffers[2];
  int current = 0;
};

// Each call gives back another one.
class OneByOne {
public:
  OneByOne() {
    for (int i = 0; i < 2; ++i)
      cudaMalloc(&buffers[i], 1024);
  }
  void drop(int i) { cudaFree(buffers[i]); }

private:
  float *buffers[2];
};

//===-- Filled by another function ----------------------------------------===//

static void fill_from_one(float **all, int n) {
  for (int i = 1; i < n; ++i)
    cudaMalloc(&all[i], 1024);
}
void freed_from_one(int n) {
  float *all[16];
  fill_from_one(all, n);
  for (int i = 1; i < n; ++i)
    cudaFree(all[i]);
}

//===-- Ends that differ ----------------------------------------------------------===//

void one_less(int n) {
  std::vector<float *> all(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i], 1024); // expected-warning {{not all of it is given back}} [tensor-unfreed-device-memory]
  const int last = n - 1;
  for (int i = 0; i < last; ++i)
    cudaFree(all[i]); // expected-path {{only single ones are given back, as here}}
}

void last_by_itself(int n) {
  std::vector<float *> all(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i], 1024);
  for (int i = 0; i < n - 1; ++i)
    cudaFree(all[i]);
  cudaFree(all[n - 1]);
}

// The number may be another one by then.
void fewer_by_then(int n) {
  std::vector<float *> all(n);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&all[i], 1024);
  cudaFree(all.back());
  all.pop_back();
  for (int i = 0; i + 1 < n; ++i)
    cudaFree(all[i]);
}

void in_two_loops(int n) {
  float *all[16];
  for (int i = 0; i < 16; ++i)
    cudaMalloc(&all[i], n);
  for (int i = 0; i < 8; ++i)
    cudaFree(all[i]);
  for (int i = 8; i < 16; ++i)
    cudaFree(all[i]);
}

float *make(int n) {
  float *made;
  cudaMalloc(&made, n); // expected-path {{it is allocated here}}
  return made;
}

class ThreeOfFour {
public:
  ThreeOfFour() {
    for (auto &stream : streams)
      cudaStreamCreate(&stream); // expected-warning {{in 'streams[]' is taken in each round of a loop}} [tensor-unfreed-device-memory]
    for (int i = 0; i < 4; ++i)
      buffers[i] = make(1024); // expected-warning {{in 'buffers[]' is taken in each round of a loop}} [tensor-unfreed-device-memory]
  }
  ~ThreeOfFour() {
    for (int i = 0; i <= 2; ++i)
      cudaStreamDestroy(streams[i]); // expected-path {{only single ones are given back, as here}}
    for (int i = 0; i + 1 < 4; ++i)
      cudaFree(buffers[i]); // expected-path {{only single ones are given back, as here}}
  }

private:
  cudaStream_t streams[4];
  float *buffers[4];
};

class FourOfFour {
public:
  FourOfFour() {
    for (auto &stream : streams)
      cudaStreamCreate(&stream);
    for (int i = 0; i < 4; ++i)
      buffers[i] = make(1024);
  }
  ~FourOfFour() {
    for (int i = 0; i <= 3; ++i)
      cudaStreamDestroy(streams[i]);
    for (float *buffer : buffers)
      cudaFree(buffer);
  }

private:
  cudaStream_t streams[4];
  float *buffers[4];
};

//===-- Downwards -------------------------------------------------------------------===//

void down_to_one(size_t n) {
  float *rows[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(&rows[i], n); // expected-warning {{not all of it is given back}} [tensor-unfreed-device-memory]
  for (int i = 7; i > 0; --i)
    cudaFree(rows[i]); // expected-path {{only single ones}}
}

void down_to_zero(size_t n) {
  float *rows[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(&rows[i], n);
  for (int i = 7; i >= 0; --i)
    cudaFree(rows[i]);
}

void counted_first(size_t n) {
  float *rows[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(&rows[i], n); // expected-warning {{not all of it is given back}} [tensor-unfreed-device-memory]
  int i = 8;
  while (--i > 0)
    cudaFree(rows[i]); // expected-path {{only single ones}}
}

void counted_then(size_t n) {
  float *rows[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(&rows[i], n);
  int i = 8;
  while (i-- > 0)
    cudaFree(rows[i]);
}

void not_the_last(size_t n, int count) {
  float *rows[8];
  for (int i = 0; i < count; ++i)
    cudaMalloc(&rows[i], n); // expected-warning {{not all of it is given back}} [tensor-unfreed-device-memory]
  for (int i = count - 2; i >= 0; --i)
    cudaFree(rows[i]); // expected-path {{only single ones}}
}

void all_of_them(size_t n, int count) {
  float *rows[8];
  for (int i = 0; i < count; ++i)
    cudaMalloc(&rows[i], n);
  for (int i = count; --i >= 0;)
    cudaFree(rows[i]);
}

//===-- In functions that others call for a record of theirs -----------------------===//

struct Ring {
  float *slots[5];
};

static void fill(Ring &ring) {
  for (int i = 0; i <= 4; ++i)
    cudaMalloc(&ring.slots[i], 100); // expected-warning {{100 B of device memory in 'ring.slots[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
}

static void empty(Ring &ring) {
  for (int i = 0; i < 4; ++i)
    cudaFree(ring.slots[i]); // expected-path {{only single ones are given back, as here}}
}

void go_round(int n) {
  Ring ring;
  fill(ring);
  cudaMemset(ring.slots[0], 0, n);
  empty(ring);
}

struct Wheel {
  float *slots[5];
};

static void fill_all(Wheel &wheel) {
  for (int i = 0; i <= 4; ++i)
    cudaMalloc(&wheel.slots[i], 100);
}

static void empty_but_one(Wheel &wheel) {
  for (int i = 0; i < 4; ++i)
    cudaFree(wheel.slots[i]);
}

void turn(int n) { // and gives back the last one itself
  Wheel wheel;
  fill_all(wheel);
  cudaMemset(wheel.slots[0], 0, n);
  empty_but_one(wheel);
  cudaFree(wheel.slots[4]);
}

//===-- Counted by a member ----------------------------------------------------------===//

struct Pyramid {
  float *levels[12];
  int count;
};

void build(Pyramid *pyramid, int n) {
  pyramid->count = n;
  for (int i = 0; i < pyramid->count; ++i)
    cudaMalloc(&pyramid->levels[i], 100); // expected-warning {{'pyramid->levels[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
}

void tear_down(Pyramid *pyramid) {
  for (int i = 0; i < pyramid->count - 1; ++i)
    cudaFree(pyramid->levels[i]); // expected-path {{only single ones are given back, as here}}
  pyramid->count = 0;
}
