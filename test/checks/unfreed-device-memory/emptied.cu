// Containers that own what they point to are emptied by other ways than clear(), and filled anew.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>
#include <vector>

//===-- Emptied by one method, filled by another -------------------------------===//

class Pages {
public:
  ~Pages() { release(); }
  void add(size_t n) {
    float *page = nullptr;
    cudaMalloc(&page, n); // expected-path {{'pages_' gets it here}} expected-path {{'pages_' gets it here}} expected-path {{'pages_' gets it here}} expected-path {{'pages_' gets it here}}
    pages_.push_back(page);
  }
  void startAgain() {
    pages_ = {}; // expected-warning {{device memory in 'pages_' is lost here}} [tensor-unfreed-device-memory]
  }
  void forget() { pages_ = std::vector<float *>(); } // expected-warning {{device memory in 'pages_' is lost here}} [tensor-unfreed-device-memory]
  void shrink() { pages_.resize(0); } // expected-warning {{device memory in 'pages_' is lost here}} [tensor-unfreed-device-memory]
  void blank(size_t n) { pages_.assign(n, nullptr); } // expected-warning {{device memory in 'pages_' is lost here}} [tensor-unfreed-device-memory]
  void keepSome(size_t n) { pages_.resize(n); }
  void free() {
    release();
    pages_ = {};
  }
  void freeHere() {
    for (float *page : pages_)
      cudaFree(page);
    pages_.resize(0);
  }

private:
  void release() {
    for (float *page : pages_)
      cudaFree(page);
    pages_.clear();
  }
  std::vector<float *> pages_;
};

// Another list takes their place.
class Rows {
public:
  ~Rows() {
    for (float *row : rows_)
      cudaFree(row);
  }
  void add(size_t n) {
    float *row = nullptr;
    cudaMalloc(&row, n); // expected-path {{'rows_' gets it here}}
    rows_.push_back(row);
  }
  void replace(std::vector<float *> others) {
    rows_ = std::move(others); // expected-warning {{device memory in 'rows_' is lost here}} [tensor-unfreed-device-memory]
  }
  void exchange(std::vector<float *> &others) { rows_.swap(others); }

private:
  std::vector<float *> rows_;
};

//===-- Filled anew in the same method ------------------------------------------===//

class Levels {
public:
  explicit Levels(int n) { build(n); }
  ~Levels() {
    for (float *level : levels_)
      cudaFree(level);
  }
  void rebuild(int n) { build(n); } // expected-path {{called here after it was made once}}

private:
  void build(int n) {
    levels_.clear();
    for (int i = 0; i < n; ++i) {
      float *level = nullptr;
      cudaMalloc(&level, size_t(n) >> i); // expected-warning {{device memory in 'levels_' replaces what it held before}} [tensor-unfreed-device-memory]
      levels_.push_back(level);
    }
  }
  std::vector<float *> levels_;
};

class LevelsThatAreFreed {
public:
  explicit LevelsThatAreFreed(int n) { build(n); }
  ~LevelsThatAreFreed() { drop(); }
  void rebuild(int n) { build(n); }

private:
  void drop() {
    for (float *level : levels_)
      cudaFree(level);
  }
  void build(int n) {
    drop();
    levels_.clear();
    for (int i = 0; i < n; ++i) {
      float *level = nullptr;
      cudaMalloc(&level, size_t(n) >> i);
      levels_.push_back(level);
    }
  }
  std::vector<float *> levels_;
};

// Nobody fills it twice in view, but users of the class can.
class Tables {
public:
  ~Tables() {
    for (float *table : tables_)
      cudaFree(table);
  }
  void load(int count, size_t n) {
    std::vector<float *> fresh;
    for (int i = 0; i < count; ++i) {
      float *table = nullptr;
      cudaMalloc(&table, n); // expected-note {{device memory in 'tables_' is taken anew by each call of 'load'}} [tensor-unfreed-device-memory]
      fresh.push_back(table);
    }
    tables_ = std::move(fresh);
  }

private:
  std::vector<float *> tables_;
};

class TablesLoadedOnce {
public:
  ~TablesLoadedOnce() {
    for (float *table : tables_)
      cudaFree(table);
  }
  void load(int count, size_t n) {
    if (!tables_.empty())
      return;
    tables_.clear();
    for (int i = 0; i < count; ++i) {
      float *table = nullptr;
      cudaMalloc(&table, n);
      tables_.push_back(table);
    }
  }

private:
  std::vector<float *> tables_;
};

// A larger one is asked for.
class Stages {
public:
  ~Stages() {
    for (float *stage : stages_)
      cudaFree(stage);
  }
  void reserve(size_t n) {
    if (n <= bytes_)
      return;
    stages_.clear();
    for (int i = 0; i < 4; ++i) {
      float *stage = nullptr;
      cudaMalloc(&stage, n); // expected-warning {{device memory in 'stages_[]' replaces what it held before}} [tensor-unfreed-device-memory]
      stages_.push_back(stage);
    }
    bytes_ = n;
  }

private:
  std::vector<float *> stages_;
  size_t bytes_ = 0;
};

// Nothing that is given says how much, but the list is emptied, so that it may hold something.
class Handles {
public:
  ~Handles() {
    for (cudaStream_t handle : handles_)
      cudaStreamDestroy(handle);
  }
  void connect(const std::vector<int> &devices) {
    handles_.assign(devices.size(), nullptr);
    for (size_t i = 0; i < devices.size(); ++i)
      cudaStreamCreate(&handles_[i]); // expected-note {{'handles_' is taken anew by each call of 'connect'}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<cudaStream_t> handles_;
};

//===-- Emptied by a loop ---------------------------------------------------------===//

struct Part {
  float *keys;
  int size;
};

// Each part is taken out and freed, or makes others; at the end there is none.
void splits(int size) {
  std::vector<Part> work;
  Part first{nullptr, size};
  cudaMalloc(&first.keys, size);
  work.push_back(first);
  while (!work.empty()) {
    Part part = work.back();
    work.pop_back();
    if (part.size > 16) {
      Part half{nullptr, part.size / 2};
      cudaMalloc(&half.keys, half.size);
      work.push_back(half);
    }
    cudaFree(part.keys);
  }
}

// What is put in after that is still there.
void fills_again(int size) {
  std::vector<Part> work;
  Part first{nullptr, size};
  cudaMalloc(&first.keys, size);
  work.push_back(first);
  while (!work.empty()) {
    cudaFree(work.back().keys); // expected-path {{others are freed here}}
    work.pop_back();
  }
  Part last{nullptr, size};
  cudaMalloc(&last.keys, size); // expected-warning {{is not given back before 'fills_again' returns}} [tensor-unfreed-device-memory]
  work.push_back(last);
}

void frees_none(int size) {
  std::vector<Part> work;
  Part first{nullptr, size};
  cudaMalloc(&first.keys, size); // expected-warning {{is not given back before 'frees_none' returns}} [tensor-unfreed-device-memory]
  work.push_back(first);
  while (!work.empty())
    work.pop_back();
}

// What is empty already loses nothing.
class Lazy {
public:
  ~Lazy() {
    for (float *slot : slots_)
      cudaFree(slot);
  }
  void ensure() {
    if (slots_.empty())
      slots_.assign(4, nullptr);
  }
  void renew() {
    if (!slots_.empty())
      slots_.assign(4, nullptr); // expected-warning {{device memory in 'slots_' is lost here}} [tensor-unfreed-device-memory]
  }
  void fill(int i, size_t n) {
    cudaFree(slots_[i]);
    cudaMalloc(&slots_[i], n); // expected-path {{'slots_' gets it here}}
  }

private:
  std::vector<float *> slots_;
};
