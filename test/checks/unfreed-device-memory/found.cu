// An element that was found in a container is there already, with something of its own.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

class Tiles {
public:
  ~Tiles() {
    for (auto &entry : tiles_)
      cudaFree(entry.second);
  }
  void put(const std::string &name, size_t n) {
    float *data = nullptr;
    if (cudaMalloc(&data, n) != cudaSuccess) // expected-warning {{device memory in 'tiles_' replaces what the element that was found held before, which nothing gives back; call 'cudaFree' first}} [tensor-unfreed-device-memory]
      return;
    auto it = tiles_.find(name); // expected-path {{the element is found here}}
    if (it != tiles_.end())
      it->second = data;
    else
      tiles_.emplace(name, data);
  }

private:
  std::unordered_map<std::string, float *> tiles_;
};

// The search ends with a return, and the new one is taken into the element.
class Layers {
public:
  ~Layers() {
    for (auto &entry : layers_)
      cudaFree(entry.second);
  }
  void load(int key, size_t n) {
    auto it = layers_.find(key); // expected-path {{the element is found here}}
    if (it == layers_.end()) {
      cudaMalloc(&layers_[key], n);
      return;
    }
    cudaMalloc(&it->second, n); // expected-warning {{device memory in 'layers_' replaces}} [tensor-unfreed-device-memory]
  }

private:
  std::map<int, float *> layers_;
};

// What `emplace` answers says that it has found one.
class Frames {
public:
  ~Frames() {
    for (auto &entry : frames_)
      cudaFree(entry.second);
  }
  void put(int key, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n); // expected-warning {{device memory in 'frames_' replaces}} [tensor-unfreed-device-memory]
    auto [it, isNew] = frames_.emplace(key, data); // expected-path {{the element is found here}}
    if (!isNew)
      it->second = data;
  }
  void putByPair(int key, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n); // expected-warning {{device memory in 'frames_' replaces}} [tensor-unfreed-device-memory]
    auto put = frames_.insert({key, data}); // expected-path {{the element is found here}}
    if (put.second)
      return;
    put.first->second = data;
  }

private:
  std::map<int, float *> frames_;
};

// A record in a list that is searched by its name; that the old one is too small does not free it.
struct Buffer {
  std::string name;
  float *data = nullptr;
  size_t size = 0;
};

class Buffers {
public:
  ~Buffers() {
    for (Buffer &each : all_)
      cudaFree(each.data);
  }
  float *get(const std::string &name, size_t n) {
    for (Buffer &each : all_) {
      if (each.name == name) { // expected-path {{the element is found here}}
        if (each.size >= n)
          return each.data;
        cudaMalloc(&each.data, n); // expected-note {{device memory in 'all_' replaces}} [tensor-unfreed-device-memory]
        each.size = n;
        return each.data;
      }
    }
    Buffer made;
    made.name = name;
    cudaMalloc(&made.data, n);
    made.size = n;
    all_.push_back(made);
    return made.data;
  }

private:
  std::vector<Buffer> all_;
};

// The table is a variable of the file.
static std::map<int, cudaStream_t> streams;

void open(int device) {
  cudaStream_t stream;
  cudaStreamCreate(&stream); // expected-warning {{a stream in 'streams' replaces}} [tensor-unfreed-device-memory]
  auto it = streams.find(device); // expected-path {{the element is found here}}
  if (it != streams.end())
    it->second = stream;
  else
    streams.emplace(device, stream);
}

void closeAll() {
  for (auto &entry : streams)
    cudaStreamDestroy(entry.second);
  streams.clear();
}

// That another method does it right says nothing for this one.
class Weights {
public:
  ~Weights() {
    for (auto &entry : weights_)
      cudaFree(entry.second);
  }
  void replace(int key, size_t n) {
    auto it = weights_.find(key);
    if (it == weights_.end())
      return;
    cudaFree(it->second);
    cudaMalloc(&it->second, n);
  }
  void put(int key, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n); // expected-warning {{device memory in 'weights_' replaces}} [tensor-unfreed-device-memory]
    auto it = weights_.find(key); // expected-path {{the element is found here}}
    if (it != weights_.end())
      it->second = data;
    else
      weights_.emplace(key, data);
  }

private:
  std::map<int, float *> weights_;
};

//===-- The old one is given back, or there is none ----------------------------===//

class Replaced {
public:
  ~Replaced() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void put(int key, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    auto it = all_.find(key);
    if (it != all_.end()) {
      cudaFree(it->second);
      it->second = data;
    } else {
      all_.emplace(key, data);
    }
  }
  void putAndFreeLater(int key, size_t n) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    auto it = all_.find(key);
    if (it != all_.end()) {
      float *old = it->second;
      it->second = data;
      cudaFree(old);
    } else {
      all_.emplace(key, data);
    }
  }
  void drop(float *&data) {
    cudaFree(data);
    data = nullptr;
  }
  void putByHelper(int key, size_t n) {
    auto it = all_.find(key);
    if (it == all_.end()) {
      cudaMalloc(&all_[key], n);
      return;
    }
    drop(it->second);
    cudaMalloc(&it->second, n);
  }

private:
  std::map<int, float *> all_;
};

// An element may be there with nothing in it.
class Slots {
public:
  ~Slots() {
    for (auto &entry : slots_)
      cudaFree(entry.second.data);
  }
  void reserve(int key) { slots_[key].size = 0; }
  void fill(int key, size_t n) {
    auto it = slots_.find(key);
    if (it == slots_.end())
      return;
    cudaMalloc(&it->second.data, n);
  }
  void fillOnce(int key, size_t n) {
    auto it = slots_.find(key);
    if (it == slots_.end()) {
      cudaMalloc(&slots_[key].data, n);
      return;
    }
    if (it->second.data == nullptr)
      cudaMalloc(&it->second.data, n);
  }
  void fillEmpty(int key, size_t n) {
    auto it = slots_.find(key);
    if (it != slots_.end() && it->second.size == 0) {
      cudaMalloc(&it->second.data, n);
      it->second.size = n;
    } else if (it == slots_.end()) {
      cudaMalloc(&slots_[key].data, n);
    }
  }
  void fillUnsized(int key, size_t n) {
    auto it = slots_.find(key);
    if (it == slots_.end()) {
      cudaMalloc(&slots_[key].data, n);
      return;
    }
    if (it->second.size > 0)
      return;
    cudaMalloc(&it->second.data, n);
    it->second.size = n;
  }
  void fillUnnamed(int key, size_t n) {
    auto it = slots_.find(key);
    const bool isThere = it != slots_.end();
    if (!isThere) {
      cudaMalloc(&slots_[key].data, n);
      return;
    }
    const bool isEmpty = it->second.data == nullptr;
    if (isEmpty)
      cudaMalloc(&it->second.data, n);
  }

private:
  std::map<int, Buffer> slots_;
};

// Another method gives back what an element holds, and leaves the element.
class Suspended {
public:
  ~Suspended() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  void put(int key, size_t n) {
    auto it = all_.find(key);
    if (it == all_.end())
      cudaMalloc(&all_[key], n);
    else
      cudaMalloc(&it->second, n);
  }
  void suspend(int key) {
    auto it = all_.find(key);
    if (it == all_.end())
      return;
    cudaFree(it->second);
    it->second = nullptr;
  }

private:
  std::map<int, float *> all_;
};

// Only what is new is filled, or the place was made for it.
class Made {
public:
  ~Made() {
    for (auto &entry : made_)
      cudaFree(entry.second);
  }
  void put(int key, size_t n) {
    auto [it, isNew] = made_.emplace(key, nullptr);
    if (isNew)
      cudaMalloc(&it->second, n);
  }
  void putAfterSearch(int key, size_t n) {
    auto it = made_.find(key);
    if (it == made_.end())
      it = made_.emplace(key, nullptr).first;
    else
      return;
    cudaMalloc(&it->second, n);
  }
  void putOnlyNew(int key, size_t n) {
    auto [it, isNew] = made_.try_emplace(key, nullptr);
    if (!isNew)
      return;
    float *data = nullptr;
    cudaMalloc(&data, n);
    it->second = data;
  }

private:
  std::map<int, float *> made_;
};

// A slot that is searched for because it is free.
enum State { Free, Used };
struct Slot {
  State state = Free;
  float *data = nullptr;
};

class Pool {
public:
  ~Pool() {
    for (Slot &slot : slots_)
      cudaFree(slot.data);
  }
  int take(size_t n) {
    for (Slot &slot : slots_) {
      if (slot.state == Free) {
        cudaMalloc(&slot.data, n);
        slot.state = Used;
        return 1;
      }
    }
    Slot slot;
    slot.state = Used;
    cudaMalloc(&slot.data, n);
    slots_.push_back(slot);
    return 0;
  }
  void give(float *data) {
    for (Slot &slot : slots_) {
      if (slot.data == data) {
        cudaFree(slot.data);
        slot.data = nullptr;
        slot.state = Free;
      }
    }
  }

private:
  std::vector<Slot> slots_;
};
