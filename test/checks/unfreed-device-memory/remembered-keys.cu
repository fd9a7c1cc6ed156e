// A cache makes room: the entry of a key that it remembers goes, and what that entry held.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <list>
#include <map>

class Evicting {
public:
  ~Evicting() {
    for (auto &entry : blocks_)
      cudaFree(entry.second);
  }
  void *get(int key, size_t bytes) {
    auto it = blocks_.find(key);
    if (it != blocks_.end())
      return it->second;
    if (order_.size() > 8) {
      blocks_.erase(order_.back()); // expected-note {{device memory in 'blocks_' is lost here: what is taken out of a container is not given back by that; call 'cudaFree' first}} [tensor-unfreed-device-memory]
      order_.pop_back();
    }
    void *block = nullptr;
    cudaMalloc(&block, bytes); // expected-path {{'blocks_' gets it here}}
    blocks_[key] = block;
    order_.push_front(key);
    return block;
  }

private:
  std::map<int, void *> blocks_;
  std::list<int> order_;
};

class ByName {
public:
  ~ByName() {
    for (auto &entry : blocks_)
      cudaFree(entry.second);
  }
  void *get(int key) {
    auto it = blocks_.find(key);
    if (it != blocks_.end())
      return it->second;
    const int oldest = oldest_;
    if (blocks_.size() > 3)
      blocks_.erase(oldest); // expected-note {{device memory in 'blocks_' is lost here}} [tensor-unfreed-device-memory]
    void *block = nullptr;
    cudaMalloc(&block, 64); // expected-path {{'blocks_' gets it here}}
    blocks_[key] = block;
    oldest_ = key;
    return block;
  }

private:
  std::map<int, void *> blocks_;
  int oldest_ = 0;
};

//===-- Near misses -----------------------------------------------------------------===//

class FreedFirst {
public:
  ~FreedFirst() {
    for (auto &entry : blocks_)
      cudaFree(entry.second);
  }
  void *get(int key) {
    auto it = blocks_.find(key);
    if (it != blocks_.end())
      return it->second;
    if (order_.size() > 8) {
      cudaFree(blocks_[order_.back()]);
      blocks_.erase(order_.back());
      order_.pop_back();
    }
    void *block = nullptr;
    cudaMalloc(&block, 64);
    blocks_[key] = block;
    order_.push_front(key);
    return block;
  }

private:
  std::map<int, void *> blocks_;
  std::list<int> order_;
};

// Of the key for which it is called nothing is there.
class OwnKey {
public:
  ~OwnKey() {
    for (auto &entry : blocks_)
      cudaFree(entry.second);
  }
  void *get(int key) {
    auto it = blocks_.find(key);
    if (it != blocks_.end())
      return it->second;
    void *block = nullptr;
    cudaMalloc(&block, 64);
    blocks_[key] = block;
    if (!fill(block)) {
      cudaFree(block);
      blocks_.erase(key);
      return nullptr;
    }
    return block;
  }

private:
  static bool fill(void *block);
  std::map<int, void *> blocks_;
};
