// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A cache that makes room by taking out its last entry, whose other members it still uses.
#include <cuda_runtime.h>
#include <list>
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
