// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A cache that makes room by taking out its last entry, whose other members it still uses.
#include <algorithm>
#include <cuda_runtime.h>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <unordered_map>

struct Entry {
  std::string key;
  float *data = nullptr;
  size_t size = 0;
};

void log(const std::string &key);
void keep(const Entry &entry);

class Lost {
public:
  Lost(const Lost &) = delete;
  Lost &operator=(const Lost &) = delete;
  ~Lost() {
    for (Entry &each : entries)
      cudaFree(each.data);
  }
  bool add(const std::string &key, size_t size) {
    Entry made;
    made.key = key;
    made.size = size;
    if (cudaMalloc(&made.data, size) != cudaSuccess) // expected-path {{'entries.data' gets it here}}
      return false;
    entries.push_front(made);
    index[key] = entries.begin();
    used += size;
    return true;
  }
  void makeRoom() {
    const Entry &last = entries.back();
    used -= last.size;
    log(last.key);
    index.erase(last.key);
    entries.pop_back(); // expected-warning {{in 'entries.data' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  size_t used = 0;
  std::list<Entry> entries;
  std::unordered_map<std::string, std::list<Entry>::iterator> index;
};

class Freed {
public:
  Freed(const Freed &) = delete;
  Freed &operator=(const Freed &) = delete;
  ~Freed() {
    for (Entry &each : entries)
      cudaFree(each.data);
  }
  bool add(const std::string &key, size_t size) {
    Entry made;
    made.key = key;
    if (cudaMalloc(&made.data, size) != cudaSuccess)
      return false;
    entries.push_front(made);
    return true;
  }
  void makeRoom() {
    const Entry &last = entries.back();
    index.erase(last.key);
    cudaFree(last.data);
    entries.pop_back();
  }

private:
  std::list<Entry> entries;
  std::unordered_map<std::string, std::list<Entry>::iterator> index;
};

// Others see the whole entry before it is taken out, and may keep what it has.
class HandedOn {
public:
  HandedOn(const HandedOn &) = delete;
  HandedOn &operator=(const HandedOn &) = delete;
  ~HandedOn() {
    for (Entry &each : entries)
      cudaFree(each.data);
  }
  bool add(const std::string &key, size_t size) {
    Entry made;
    made.key = key;
    if (cudaMalloc(&made.data, size) != cudaSuccess)
      return false;
    entries.push_front(made);
    return true;
  }
  void makeRoom() {
    keep(entries.back());
    entries.pop_back();
  }

private:
  std::list<Entry> entries;
};

//===-- The entry that an algorithm finds -----------------------------------===//

struct Plan {
  float *work = nullptr;
  int stamp = 0;
};

bool isDone(float *work) {
  cudaFree(work);
  return true;
}

bool isDoneEntry(const std::pair<const int, Plan> &entry) { return isDone(entry.second.work); }

class Oldest {
public:
  Oldest(const Oldest &) = delete;
  Oldest &operator=(const Oldest &) = delete;
  ~Oldest() {
    for (auto &each : plans)
      cudaFree(each.second.work);
  }
  void add(int key, int now) {
    auto it = plans.emplace(key, Plan{}).first;
    if (cudaMalloc(&it->second.work, key) != cudaSuccess) // expected-path {{'plans.work' gets it here}} expected-path {{'plans.work' gets it here}}
      throw key;
    it->second.stamp = now;
  }
  void makeRoom() {
    auto oldest = std::min_element(plans.begin(), plans.end(), [](const auto &a, const auto &b) {
      return a.second.stamp < b.second.stamp;
    });
    plans.erase(oldest); // expected-warning {{in 'plans.work' is lost here}} [tensor-unfreed-device-memory]
  }
  void makeMoreRoom() {
    auto last = std::prev(plans.end());
    plans.erase(last); // expected-warning {{in 'plans.work' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::map<int, Plan> plans;
};

// What it finds is freed, here or by what decides.
class OldestFreed {
public:
  OldestFreed(const OldestFreed &) = delete;
  OldestFreed &operator=(const OldestFreed &) = delete;
  ~OldestFreed() {
    for (auto &each : plans)
      cudaFree(each.second.work);
  }
  void add(int key) {
    auto it = plans.emplace(key, Plan{}).first;
    if (cudaMalloc(&it->second.work, key) != cudaSuccess)
      throw key;
  }
  void makeRoom() {
    auto last = std::prev(plans.end());
    cudaFree(last->second.work);
    plans.erase(last);
  }
  void makeRoomIf() {
    auto done = std::find_if(plans.begin(), plans.end(),
                             [](auto &each) { return isDone(each.second.work); });
    plans.erase(done);
  }
  void makeRoomByFunction() {
    auto done = std::find_if(plans.begin(), plans.end(), isDoneEntry);
    plans.erase(done);
  }

private:
  std::map<int, Plan> plans;
};
