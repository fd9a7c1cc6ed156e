// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A pool that takes back what its users have had, up to a limit, and drops the rest.
#include <cuda_runtime.h>
#include <map>
#include <vector>

struct Block {
  float *data = nullptr;
  size_t bytes = 0;
};

class Events {
public:
  Events(const Events &) = delete;
  Events &operator=(const Events &) = delete;
  ~Events() {
    for (cudaEvent_t each : idle)
      cudaEventDestroy(each);
  }
  void give(cudaEvent_t event) {
    if (!event)
      return;
    if (idle.size() < most) // expected-warning {{an event in 'event' is lost where this condition keeps it out of 'idle', and no caller can know that; call 'cudaEventDestroy' there}} [tensor-unfreed-device-memory]
      idle.push_back(event); // expected-path {{it is kept here otherwise}}
  }
  void giveAndDestroy(cudaEvent_t event) {
    if (idle.size() < most)
      idle.push_back(event);
    else
      cudaEventDestroy(event);
  }
  // The caller hears of it.
  bool offer(cudaEvent_t event) {
    if (idle.size() >= most)
      return false;
    idle.push_back(event);
    return true;
  }

private:
  std::vector<cudaEvent_t> idle;
  size_t most = 16;
};

class Blocks {
public:
  Blocks(const Blocks &) = delete;
  Blocks &operator=(const Blocks &) = delete;
  ~Blocks() {
    for (auto &each : cache)
      cudaFree(each.second);
  }
  void give(Block &block) {
    if (block.data == nullptr)
      return;
    if (cached + block.bytes <= limit) { // expected-warning {{device memory in 'block' is lost where this condition keeps it out of 'cache'}} [tensor-unfreed-device-memory]
      cache.emplace(block.bytes, block.data); // expected-path {{it is kept here otherwise}}
      cached += block.bytes;
    }
    block = Block{};
  }
  void giveLarge(float *data, size_t bytes) {
    if (cached + bytes > limit) // expected-warning {{device memory in 'data' is lost where this condition keeps it out of 'cache'}} [tensor-unfreed-device-memory]
      return;
    cached += bytes;
    cache.emplace(bytes, data); // expected-path {{it is kept here otherwise}}
  }
  // Room is made: it is kept on all ways.
  void giveAlways(Block &block) {
    if (cached + block.bytes > limit)
      trim();
    cache.emplace(block.bytes, block.data);
    block = Block{};
  }
  // There is nothing in it.
  void giveFull(Block &block) {
    if (block.bytes > 0 && block.data)
      cache.emplace(block.bytes, block.data);
  }

private:
  void trim() {
    for (auto &each : cache)
      cudaFree(each.second);
    cache.clear();
  }
  std::multimap<size_t, float *> cache;
  size_t cached = 0, limit = 1 << 28;
};

// What the queue gets is another's, who frees it.
class Queue {
public:
  void push(float *frame) {
    if (waiting.size() < 4)
      waiting.push_back(frame);
  }
  float *pop() {
    float *first = waiting.back();
    waiting.pop_back();
    return first;
  }

private:
  std::vector<float *> waiting;
};

class Table {
public:
  explicit Table(size_t size) : slots(size) {}
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;
  ~Table() {
    for (cudaStream_t each : slots)
      cudaStreamDestroy(each);
  }
  // A position that the caller gives: it is an error of its own to be outside.
  void set(size_t at, cudaStream_t stream) {
    if (at < slots.size())
      slots[at] = stream;
  }

private:
  std::vector<cudaStream_t> slots;
};

// The pool is asked whether it has it already.
class Unique {
public:
  Unique(const Unique &) = delete;
  Unique &operator=(const Unique &) = delete;
  ~Unique() {
    for (auto &each : all)
      cudaFree(each.second);
  }
  void add(float *data) {
    if (all.count(data) == 0)
      all.emplace(data, data);
  }
  void addBelow(float *data) {
    if (data < end)
      all.emplace(data, data);
  }

private:
  std::map<float *, float *> all;
  float *end = nullptr;
};

// Objects of the host, which `delete` frees: another tool's business.
struct Task {
  int number = 0;
};

class Tasks {
public:
  Tasks(const Tasks &) = delete;
  Tasks &operator=(const Tasks &) = delete;
  ~Tasks() {
    for (Task *each : idle)
      delete each;
  }
  void give(Task *task) {
    if (idle.size() < 8)
      idle.push_back(task);
  }

private:
  std::vector<Task *> idle;
};

static float *slots[8];
static int used;

void giveSlot(float *data) {
  if (used < 8) // expected-warning {{device memory in 'data' is lost where this condition keeps it out of 'slots'}} [tensor-unfreed-device-memory]
    slots[used++] = data; // expected-path {{it is kept here otherwise}}
}

void freeSlots() {
  while (used > 0)
    cudaFree(slots[--used]);
}

//===-- What is looked up by the pointer ------------------------------------------------===//

#include <map>
#include <unordered_map>

class Caching {
public:
  ~Caching() {
    for (auto &entry : free_)
      cudaFree(entry.second);
  }
  void put(void *block) {
    if (!block)
      return;
    auto it = live_.find(block);
    const size_t size = it->second;
    live_.erase(it);
    if (cached_ + size <= limit_) { // expected-warning {{device memory in 'block' is lost where this condition keeps it out of 'free_', and no caller can know that; call 'cudaFree' there}} [tensor-unfreed-device-memory]
      free_.emplace(size, block); // expected-path {{it is kept here otherwise}}
      cached_ += size;
    }
  }

private:
  std::multimap<size_t, void *> free_;
  std::unordered_map<void *, size_t> live_;
  size_t cached_ = 0, limit_ = 1 << 20;
};

// By the key of the entry that is found.
class FreedByKey {
public:
  ~FreedByKey() {
    for (auto &entry : free_)
      cudaFree(entry.second);
  }
  void put(void *block) {
    auto it = live_.find(block);
    const size_t size = it->second;
    if (cached_ + size <= limit_)
      free_.emplace(size, block);
    else
      cudaFree(it->first);
    live_.erase(it);
  }

private:
  std::multimap<size_t, void *> free_;
  std::unordered_map<void *, size_t> live_;
  size_t cached_ = 0, limit_ = 1 << 20;
};

void forget(std::map<void *, int> &users, void *block) {
  if (users.count(block))
    users.erase(block);
}
void keptByCaller(std::map<void *, int> &users, size_t n) {
  void *block = nullptr;
  cudaMalloc(&block, n);
  forget(users, block);
  cudaFree(block);
}
void lostByCaller(std::map<void *, int> &users, size_t n) {
  void *block = nullptr;
  cudaMalloc(&block, n); // expected-warning {{device memory in 'block' is not given back before 'lostByCaller' returns; nothing calls 'cudaFree' on it}} [tensor-unfreed-device-memory]
  forget(users, block);
} // expected-fix {{cudaFree(block);}}
