// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Entries of a map that are found, are not what is wanted, and are replaced under their key.
#include <cuda_runtime.h>
#include <map>
#include <unordered_map>

struct Workspace {
  void *data;
  size_t bytes;
};

//===-- The way to the store passes an entry that is there -----------------------===//

class Workspaces {
public:
  ~Workspaces() { trim(); }
  void *get(int shape, size_t bytes) {
    auto it = entries_.find(shape);
    if (it != entries_.end() && it->second.bytes >= bytes) // expected-path {{the element is found here}}
      return it->second.data;
    void *data = nullptr;
    cudaMalloc(&data, bytes); // expected-note {{device memory in 'entries_' replaces what the element that was found held}} [tensor-unfreed-device-memory]
    entries_[shape] = Workspace{data, bytes};
    return data;
  }
  void trim() {
    for (auto &[shape, each] : entries_)
      cudaFree(each.data);
    entries_.clear();
  }

private:
  std::map<int, Workspace> entries_;
};

// The other way round, with a name for the answer.
class Scratch {
public:
  ~Scratch() {
    for (auto &each : entries_)
      cudaFree(each.second.data);
  }
  void reserve(int stream, size_t bytes) {
    auto it = entries_.find(stream);
    const bool isThere = it != entries_.end();
    if (!isThere || it->second.bytes < bytes) { // expected-path {{the element is found here}}
      Workspace made;
      cudaMalloc(&made.data, bytes); // expected-warning {{device memory in 'entries_' replaces what the element that was found held}} [tensor-unfreed-device-memory]
      made.bytes = bytes;
      entries_[stream] = made;
    }
  }

private:
  std::unordered_map<int, Workspace> entries_;
};

// The sizes are kept beside, and the entry is counted.
class Sized {
public:
  ~Sized() {
    for (auto &each : data_)
      cudaFree(each.second);
  }
  void reserve(int key, size_t bytes) {
    if (data_.count(key)) { // expected-path {{the element is found here}}
      if (sizes_[key] >= bytes)
        return;
      ++misses_;
    }
    float *data = nullptr;
    cudaMalloc(&data, bytes); // expected-warning {{device memory in 'data_' replaces what the element that was found held}} [tensor-unfreed-device-memory]
    sizes_[key] = bytes;
    data_.insert_or_assign(key, data);
  }

private:
  std::map<int, float *> data_;
  std::map<int, size_t> sizes_;
  int misses_ = 0;
};

//===-- None is there, or it is given back ---------------------------------------===//

class OncePerKey {
public:
  ~OncePerKey() {
    for (auto &each : entries_)
      cudaFree(each.second.data);
  }
  void *get(int key, size_t bytes) {
    auto it = entries_.find(key);
    if (it != entries_.end())
      return it->second.data;
    Workspace made;
    cudaMalloc(&made.data, bytes);
    entries_[key] = made;
    return made.data;
  }
  void fillAll(const int *keys, int n, size_t bytes) {
    for (int i = 0; i < n; ++i) {
      auto it = entries_.find(keys[i]);
      if (it != entries_.end())
        continue;
      Workspace made;
      cudaMalloc(&made.data, bytes);
      entries_[keys[i]] = made;
    }
  }

private:
  std::map<int, Workspace> entries_;
};

class FreedFirst {
public:
  ~FreedFirst() {
    for (auto &each : entries_)
      cudaFree(each.second.data);
  }
  void reserve(int key, size_t bytes) {
    auto it = entries_.find(key);
    if (it != entries_.end() && it->second.bytes >= bytes)
      return;
    if (it != entries_.end())
      cudaFree(it->second.data);
    Workspace made;
    cudaMalloc(&made.data, bytes);
    entries_[key] = made;
  }
  void replace(int key, size_t bytes) {
    auto it = entries_.find(key);
    if (it != entries_.end()) {
      if (it->second.bytes >= bytes)
        return;
      cudaFree(it->second.data);
      entries_.erase(it);
    }
    Workspace made;
    cudaMalloc(&made.data, bytes);
    entries_[key] = made;
  }

private:
  std::map<int, Workspace> entries_;
};

// The entry may hold nothing.
class MayBeEmpty {
public:
  ~MayBeEmpty() {
    for (auto &each : entries_)
      cudaFree(each.second.data);
  }
  void declare(int key) { entries_[key] = Workspace{nullptr, 0}; }
  void reserve(int key, size_t bytes) {
    auto it = entries_.find(key);
    if (it != entries_.end() && it->second.data != nullptr)
      return;
    Workspace made;
    cudaMalloc(&made.data, bytes);
    entries_[key] = made;
  }

private:
  std::map<int, Workspace> entries_;
};

// Another key than the one that was looked for.
class OtherKey {
public:
  ~OtherKey() {
    for (auto &each : entries_)
      cudaFree(each.second.data);
  }
  void add(int key, int fresh, size_t bytes) {
    auto it = entries_.find(key);
    if (it != entries_.end() && it->second.bytes >= bytes)
      return;
    Workspace made;
    cudaMalloc(&made.data, bytes);
    entries_[fresh] = made;
  }

private:
  std::map<int, Workspace> entries_;
};
