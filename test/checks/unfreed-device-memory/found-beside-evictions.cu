// An element that was found is overwritten, where a full cache evicts another one.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <string>

// What makes room for a new element is not what was in the one that was found.
class Thumbs {
public:
  ~Thumbs() {
    for (auto &entry : entries_)
      cudaFree(entry.second.pixels);
  }
  void put(const std::string &key, int n) {
    float *pixels = nullptr;
    cudaMalloc(&pixels, n); // expected-warning {{device memory in 'entries_' replaces what the element that was found held before}} [tensor-unfreed-device-memory]
    auto it = entries_.find(key);
    if (it != entries_.end()) // expected-path {{the element is found here}}
      ++hits_;
    else if (entries_.size() >= 8)
      evict();
    entries_[key] = Thumb{pixels, n};
  }

private:
  struct Thumb {
    float *pixels;
    int size;
  };
  void evict() {
    cudaFree(entries_.begin()->second.pixels);
    entries_.erase(entries_.begin());
  }
  std::map<std::string, Thumb> entries_;
  int hits_ = 0;
};

class FreedThumbs {
public:
  ~FreedThumbs() {
    for (auto &entry : entries_)
      cudaFree(entry.second.pixels);
  }
  void put(const std::string &key, int n) {
    float *pixels = nullptr;
    cudaMalloc(&pixels, n);
    auto it = entries_.find(key);
    if (it != entries_.end())
      cudaFree(it->second.pixels);
    else if (entries_.size() >= 8)
      evict();
    entries_[key] = Thumb{pixels, n};
  }

private:
  struct Thumb {
    float *pixels;
    int size;
  };
  void evict() {
    cudaFree(entries_.begin()->second.pixels);
    entries_.erase(entries_.begin());
  }
  std::map<std::string, Thumb> entries_;
};
