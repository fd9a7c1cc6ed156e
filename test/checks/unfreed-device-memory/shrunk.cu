// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// resize() to fewer elements gives nothing back of what they hold.
#include <algorithm>
#include <cuda_runtime.h>
#include <vector>

class Snapshots {
public:
  ~Snapshots() {
    for (float *each : all_)
      cudaFree(each);
  }
  void prepare(size_t count) {
    const size_t before = all_.size();
    all_.resize(count, nullptr); // expected-warning {{device memory in 'all_' is lost where this makes the container smaller; call 'cudaFree' first}} [tensor-unfreed-device-memory]
    for (size_t i = before; i < count; ++i)
      cudaMalloc(&all_[i], 64); // expected-path {{'all_' gets it here}}
  }

private:
  std::vector<float *> all_;
};

struct Level {
  float *pixels = nullptr;
  size_t capacity = 0;
};
void fit(Level &level, size_t n) {
  if (n <= level.capacity)
    return;
  cudaFree(level.pixels);
  cudaMalloc(&level.pixels, n); // expected-path {{'pixels' gets it here}}
  level.capacity = n;
}
class Pyramid {
public:
  ~Pyramid() {
    for (Level &level : levels_)
      cudaFree(level.pixels);
  }
  void configure(size_t count, size_t n) {
    levels_.resize(count); // expected-warning {{device memory in 'pixels' is lost where this makes the container smaller}} [tensor-unfreed-device-memory]
    for (Level &level : levels_)
      fit(level, n);
  }

private:
  std::vector<Level> levels_;
};

struct Band {
  float *pixels = nullptr;
  size_t capacity = 0;
};
class Bands {
public:
  ~Bands() {
    for (Band &band : bands_)
      cudaFree(band.pixels);
  }
  void configure(size_t count, size_t n) {
    bands_.resize(count); // expected-warning {{device memory in 'bands_.pixels' is lost where this makes the container smaller}} [tensor-unfreed-device-memory]
    for (Band &band : bands_) {
      if (band.capacity == n)
        continue;
      cudaFree(band.pixels);
      cudaMalloc(&band.pixels, n); // expected-path {{'bands_.pixels' gets it here}}
      band.capacity = n;
    }
  }

private:
  std::vector<Band> bands_;
};

//===-- Near misses -------------------------------------------------------===//

class SnapshotsThatFree {
public:
  ~SnapshotsThatFree() { shrink(0); }
  void prepare(size_t count) {
    const size_t before = all_.size();
    if (count < before)
      shrink(count);
    all_.resize(count, nullptr);
    for (size_t i = before; i < count; ++i)
      cudaMalloc(&all_[i], 64);
  }

private:
  void shrink(size_t count) {
    while (all_.size() > count) {
      cudaFree(all_.back());
      all_.pop_back();
    }
  }
  std::vector<float *> all_;
};

class SnapshotsThatGrow {
public:
  ~SnapshotsThatGrow() {
    for (float *each : all_)
      cudaFree(each);
  }
  void prepare(size_t count) {
    const size_t before = all_.size();
    if (count <= before)
      return;
    all_.resize(count, nullptr);
    for (size_t i = before; i < count; ++i)
      cudaMalloc(&all_[i], 64);
  }
  void add(size_t more) {
    const size_t before = all_.size();
    all_.resize(before + more, nullptr);
    for (size_t i = before; i < all_.size(); ++i)
      cudaMalloc(&all_[i], 64);
  }
  void reach(size_t count) {
    const size_t before = all_.size();
    all_.resize(std::max(count, before), nullptr);
    for (size_t i = before; i < all_.size(); ++i)
      cudaMalloc(&all_[i], 64);
  }

private:
  std::vector<float *> all_;
};

// Filled once, and emptied by who frees it.
class SnapshotsMadeOnce {
public:
  ~SnapshotsMadeOnce() { close(); }
  void open(size_t count) {
    all_.resize(count);
    for (float *&each : all_)
      cudaMalloc(&each, 64);
  }
  void close() {
    for (float *each : all_)
      cudaFree(each);
    all_.clear();
  }

private:
  std::vector<float *> all_;
};

// Elements that free what they have.
struct Owner {
  ~Owner() { cudaFree(data); }
  float *data = nullptr;
};
class Owners {
public:
  void prepare(size_t count) {
    const size_t before = all_.size();
    all_.resize(count);
    for (size_t i = before; i < count; ++i)
      cudaMalloc(&all_[i].data, 64);
  }

private:
  std::vector<Owner> all_;
};

// What it takes it gives back itself, and so the container holds nothing when it is resized.
class Rounds {
public:
  void run(size_t count, size_t n) {
    levels_.resize(count);
    for (Level &level : levels_)
      cudaMalloc(&level.pixels, n);
    for (Level &level : levels_)
      cudaFree(level.pixels);
  }

private:
  std::vector<Level> levels_;
};
