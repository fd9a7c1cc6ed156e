// What a map gets in a record that is made where it is put in.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <list>
#include <map>

struct Entry {
  float *data;
  int size;
};

class Cache {
public:
  ~Cache() {
    for (auto &entry : entries_)
      cudaFree(entry.second.data);
  }
  float *get(int key) {
    auto it = entries_.find(key);
    if (it != entries_.end())
      return it->second.data;
    if (entries_.size() >= 8) {
      entries_.erase(order_.back()); // expected-note {{device memory in 'entries_.data' is lost here: what is taken out of a container is not given back by that; call 'cudaFree' first}} [tensor-unfreed-device-memory]
      order_.pop_back();
    }
    float *data = nullptr;
    cudaMalloc(&data, 64); // expected-path {{'entries_.data' gets it here}}
    order_.push_front(key);
    entries_.emplace(key, Entry{data, key});
    return data;
  }

private:
  std::list<int> order_;
  std::map<int, Entry> entries_;
};

//===-- Near misses -----------------------------------------------------------------===//

class Freeing {
public:
  ~Freeing() {
    for (auto &entry : entries_)
      cudaFree(entry.second.data);
  }
  float *get(int key) {
    auto it = entries_.find(key);
    if (it != entries_.end())
      return it->second.data;
    if (entries_.size() >= 8) {
      cudaFree(entries_[order_.back()].data);
      entries_.erase(order_.back());
      order_.pop_back();
    }
    float *data = nullptr;
    cudaMalloc(&data, 64);
    order_.push_front(key);
    entries_.emplace(key, Entry{data, key});
    return data;
  }

private:
  std::list<int> order_;
  std::map<int, Entry> entries_;
};
