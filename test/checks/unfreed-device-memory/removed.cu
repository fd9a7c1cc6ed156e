// Elements that are taken out of a container which owns what they point to.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <set>
#include <string>
#include <vector>

struct Buffer {
  float *data;
  size_t bytes;
};

class Sessions {
public:
  ~Sessions() {
    for (Buffer &each : all)
      cudaFree(each.data);
  }
  void open(size_t bytes) {
    Buffer buffer;
    buffer.bytes = bytes;
    cudaMalloc(&buffer.data, bytes); // expected-path 3 {{gets it here}}
    all.push_back(buffer);
  }
  void close(size_t i) {
    used -= all[i].bytes;
    all.erase(all.begin() + i); // expected-warning {{in 'all.data' is lost here: what is taken out of a container}} [tensor-unfreed-device-memory]
  }
  void pop() {
    all.pop_back(); // expected-warning {{in 'all.data' is lost here}} [tensor-unfreed-device-memory]
  }
  void reset() {
    all.clear(); // expected-warning {{in 'all.data' is lost here}} [tensor-unfreed-device-memory]
  }
  // Near misses.
  void close_last() {
    cudaFree(all.back().data);
    all.pop_back();
  }
  void close_at(size_t i) {
    Buffer &buffer = all[i];
    cudaFree(buffer.data);
    all.erase(all.begin() + i);
  }

private:
  std::vector<Buffer> all;
  size_t used = 0;
};

// Who takes it frees it.
class Lent {
public:
  ~Lent() {
    for (Buffer &each : all)
      cudaFree(each.data);
  }
  void open(size_t bytes) {
    Buffer buffer;
    cudaMalloc(&buffer.data, bytes);
    all.push_back(buffer);
  }
  Buffer take(size_t i) {
    Buffer buffer = all[i];
    all.erase(all.begin() + i);
    return buffer;
  }

private:
  std::vector<Buffer> all;
};

class Registry {
public:
  ~Registry() {
    for (auto &entry : entries)
      cudaFree(entry.second);
  }
  void add(const std::string &name, size_t bytes) {
    float *p = nullptr;
    cudaMalloc(&p, bytes); // expected-path 2 {{gets it here}}
    entries.emplace(name, p);
  }
  void drop(const std::string &name) {
    entries.erase(name); // expected-warning {{in 'entries' is lost here}} [tensor-unfreed-device-memory]
  }
  void release(const std::string &name) {
    auto it = entries.find(name);
    if (it == entries.end())
      return;
    cudaFree(it->second);
    entries.erase(name);
  }
  void drop_first() {
    entries.erase(entries.begin()); // expected-warning {{in 'entries' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::map<std::string, float *> entries;
};

// What a method returns may be freed by who gets it.
class Cache {
public:
  ~Cache() {
    for (auto &entry : entries)
      cudaFree(entry.second);
  }
  void *get(const std::string &name, size_t bytes) {
    auto it = entries.find(name);
    if (it != entries.end())
      return it->second;
    void *p = nullptr;
    cudaMalloc(&p, bytes); // expected-path {{gets it here}}
    entries[name] = p;
    return p;
  }
  void drop(const std::string &name) {
    entries.erase(name); // expected-note {{in 'entries' is lost here}} [tensor-unfreed-device-memory]
  }
  void release(const std::string &name) {
    auto it = entries.find(name);
    if (it == entries.end())
      return;
    cudaFree(it->second);
    entries.erase(it);
  }

private:
  std::map<std::string, void *> entries;
};

//===-- Near misses ---------------------------------------------------------===//

// The elements are given back by who calls.
class InTwoSteps {
public:
  ~InTwoSteps() { shutdown(); }
  void add(size_t bytes) {
    float *p;
    cudaMalloc(&p, bytes);
    all.push_back(p);
  }
  void shutdown() {
    for (float *p : all)
      cudaFree(p);
    forget();
  }

private:
  void forget() { all.clear(); }
  std::vector<float *> all;
};

// The same, through one more method.
class InThreeSteps {
public:
  ~InThreeSteps() {
    shutdown();
    for (float *p : others)
      cudaFree(p);
  }
  void add(size_t bytes) {
    float *p;
    cudaMalloc(&p, bytes);
    all.push_back(p);
    cudaMalloc(&p, bytes); // expected-path {{gets it here}}
    others.push_back(p);
  }
  void shutdown() {
    for (float *p : all)
      cudaFree(p);
    forget();
  }
  void drop_others() { forget_others(); }

private:
  void forget() { forget_all(); }
  void forget_all() { all.clear(); }
  void forget_others() { clear_others(); }
  void clear_others() { others.clear(); } // expected-warning {{in 'others' is lost here}} [tensor-unfreed-device-memory]
  std::vector<float *> all, others;
};

// The other container owns them.
class TwoLists {
public:
  ~TwoLists() {
    for (float *p : all)
      cudaFree(p);
  }
  void add(size_t bytes) {
    float *p;
    cudaMalloc(&p, bytes);
    all.push_back(p);
    idle.push_back(p);
  }
  float *next() {
    float *p = idle.back();
    idle.pop_back();
    return p;
  }
  void none() { idle.clear(); }

private:
  std::vector<float *> all, idle;
};

// Only who found it empty fills it, unless it is called twice.
class Filled {
public:
  ~Filled() {
    for (float *p : all)
      cudaFree(p);
  }
  void fill(int n) {
    all.clear();
    for (int i = 0; i < n; ++i) {
      float *p;
      cudaMalloc(&p, 1024); // expected-note {{'all' is taken anew by each call of 'fill'}} [tensor-unfreed-device-memory]
      all.push_back(p);
    }
  }

private:
  std::vector<float *> all;
};

// The same, where a lambda or a function of its own takes each.
class FilledByOthers {
public:
  ~FilledByOthers() {
    for (float *p : all)
      cudaFree(p);
    for (float *p : more)
      cudaFree(p);
  }
  void fill(int n) {
    all.clear();
    for (int i = 0; i < n; ++i)
      add();
  }
  void fill_by_lambda(int n) {
    more.clear();
    for (int i = 0; i < n; ++i)
      [&] {
        float *p;
        cudaMalloc(&p, 1024);
        more.push_back(p);
      }();
  }

private:
  void add() {
    float *p;
    cudaMalloc(&p, 1024);
    all.push_back(p);
  }
  std::vector<float *> all, more;
};

// Others fill it too, or may.
class FilledBefore {
public:
  ~FilledBefore() {
    for (float *p : all)
      cudaFree(p);
    for (float *p : more)
      cudaFree(p);
  }
  void open(int n) {
    for (int i = 0; i < n; ++i)
      add();
  }
  void reopen(int n) {
    all.clear(); // expected-warning {{in 'all' is lost here}} [tensor-unfreed-device-memory]
    for (int i = 0; i < n; ++i)
      add();
  }
  void add_more() {
    float *p;
    cudaMalloc(&p, 1024); // expected-path {{gets it here}}
    more.push_back(p);
  }
  void only_one() {
    more.clear(); // expected-note {{in 'more' is lost here}} [tensor-unfreed-device-memory]
    add_more();
  }

private:
  void add() {
    float *p;
    cudaMalloc(&p, 1024); // expected-path {{gets it here}}
    all.push_back(p);
  }
  std::vector<float *> all, more;
};

// From one list into the other, and back.
class Recycled {
public:
  ~Recycled() {
    for (float *p : busy)
      cudaFree(p);
    for (float *p : idle)
      cudaFree(p);
  }
  void add(size_t bytes) {
    float *p;
    cudaMalloc(&p, bytes);
    busy.push_back(p);
  }
  void finish() {
    idle.push_back(busy.back());
    busy.pop_back();
  }
  void finish_all() {
    idle.insert(idle.end(), busy.begin(), busy.end());
    busy.clear();
  }
  void swap_in() {
    idle.swap(busy);
    busy.clear();
  }

private:
  std::vector<float *> busy, idle;
};

// Who names the entry by its pointer frees it.
class Live {
public:
  ~Live() {
    for (void *p : all)
      cudaFree(p);
    for (auto &block : blocks)
      cudaFree(block.second.data);
  }
  void *allocate(size_t bytes) {
    void *p;
    cudaMalloc(&p, bytes);
    all.insert(p);
    return p;
  }
  void deallocate(void *p) {
    cudaFree(p);
    all.erase(p);
  }
  void disown(void *p) { all.erase(p); }
  float *block(int id, size_t bytes) {
    Buffer buffer;
    cudaMalloc(&buffer.data, bytes);
    blocks[id] = buffer;
    return buffer.data;
  }
  void deallocate_block(int id, float *p) {
    cudaFree(p);
    blocks.erase(id);
  }

private:
  std::set<void *> all;
  std::map<int, Buffer> blocks;
};

//===-- Elements that a function makes --------------------------------------===//

class Made {
public:
  ~Made() {
    for (Buffer &each : all)
      free_one(each);
  }
  void open(size_t bytes) {
    all.push_back(create(bytes)); // expected-path {{gets it here}}
  }
  void evict() {
    all.pop_back(); // expected-warning {{in 'all.data' is lost here}} [tensor-unfreed-device-memory]
  }
  // A near miss.
  void close() {
    free_one(all.back());
    all.pop_back();
  }

private:
  Buffer create(size_t bytes) {
    Buffer made{nullptr, bytes};
    cudaMalloc(&made.data, bytes); // expected-path {{it is allocated here}}
    return made;
  }
  void free_one(Buffer &each) { cudaFree(each.data); }

  std::vector<Buffer> all;
};
