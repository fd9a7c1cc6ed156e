// A record that a map takes only where its key is new: where it is not, the handles stay with who
// has them.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <map>

struct Block {
  float *data = nullptr;
  size_t size = 0;
};

class Sessions {
public:
  ~Sessions() {
    for (auto &[id, block] : live_)
      cudaFree(block.data);
  }
  Block &open(int id) {
    Block block;
    cudaMalloc(&block.data, 4096); // expected-warning {{'block.data' is not given back on every way out}} [tensor-unfreed-device-memory]
    auto [it, is_new] = live_.emplace(id, block); // expected-path {{'emplace' takes it only where it finds no such key}}
    if (!is_new)
      ++again_;
    return it->second; // expected-path {{this way out leaves it behind}}
  }

private:
  std::map<int, Block> live_;
  int again_ = 0;
};

//===-- Near misses -----------------------------------------------------------===//

class FreesOld {
public:
  ~FreesOld() {
    for (auto &[id, block] : live_)
      cudaFree(block.data);
  }
  void open(int id) {
    Block block;
    cudaMalloc(&block.data, 4096);
    if (!live_.emplace(id, block).second)
      cudaFree(block.data);
  }

private:
  std::map<int, Block> live_;
};

// The key was looked for before.
class LooksBefore {
public:
  ~LooksBefore() {
    for (auto &[id, block] : live_)
      cudaFree(block.data);
  }
  Block &open(int id) {
    if (auto hit = live_.find(id); hit != live_.end())
      return hit->second;
    Block block;
    cudaMalloc(&block.data, 4096);
    auto [it, is_new] = live_.emplace(id, block);
    if (!is_new)
      ++again_;
    return it->second;
  }

private:
  std::map<int, Block> live_;
  int again_ = 0;
};

// Another key was.
class LooksForOther {
public:
  ~LooksForOther() {
    for (auto &[id, data] : live_)
      cudaFree(data);
  }
  float *open(int id) {
    if (live_.count(id + 1))
      return nullptr;
    float *data;
    cudaMalloc(&data, 4096); // expected-warning {{'data' is not given back on every way out}} [tensor-unfreed-device-memory]
    auto [it, is_new] = live_.emplace(id, data); // expected-path {{'emplace' takes it only where it finds no such key}}
    if (!is_new)
      ++again_;
    return it->second; // expected-path {{this way out leaves it behind}}
  }

private:
  std::map<int, float *> live_;
  int again_ = 0;
};
