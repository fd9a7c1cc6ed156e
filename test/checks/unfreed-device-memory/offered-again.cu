// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A table that makes an element before it knows whether it has one, and returns what it has.
#include <cuda_runtime.h>
#include <map>
#include <utility>

static float *made(int n) {
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  return p;
}

//===-- The same keys come round --------------------------------------------------===//

class Tables {
public:
  ~Tables() {
    for (auto &entry : tables_)
      cudaFree(entry.second);
  }
  float *lookup(int rows, int columns) {
    auto put = tables_.emplace(std::pair(rows, columns), made(rows * columns)); // expected-warning {{device memory in 'tables_' is taken by each call of 'lookup', and one for a key that is there already is lost, as nothing asks whether it was put there}} [tensor-unfreed-device-memory] expected-path {{callers say here which element it is}}
    return put.first->second;
  }

private:
  std::map<std::pair<int, int>, float *> tables_;
};

class Rows {
public:
  ~Rows() {
    for (auto &entry : rows_)
      cudaFree(entry.second);
  }
  float *lookup(int key) { return rows_.emplace(key, made(1024)).first->second; } // expected-warning {{device memory in 'rows_' is taken by each call of 'lookup'}} [tensor-unfreed-device-memory] expected-path {{callers say here which element it is}}

private:
  std::map<int, float *> rows_;
};

void look_up_again() {
  Tables tables;
  Rows rows;
  for (int i = 0; i < 100; ++i) {
    cudaMemset(tables.lookup(4, 8), 0, 32);
    cudaMemset(rows.lookup(3), 0, 32);
  }
}

//===-- It is asked, or others may be the owners --------------------------------------===//

class Asked {
public:
  ~Asked() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  float *lookup(int key) {
    float *offered = made(1024);
    auto put = all_.emplace(key, offered);
    if (!put.second)
      cudaFree(offered);
    return put.first->second;
  }

private:
  std::map<int, float *> all_;
};

class NeverTwice {
public:
  ~NeverTwice() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  float *lookup(int key) { return all_.emplace(key, made(1024)).first->second; }

private:
  std::map<int, float *> all_;
};

/// The number of the element is not only what the caller gives.
class Numbered {
public:
  ~Numbered() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  float *add(int key) { return all_.emplace(key + 100 * ++count_, made(1024)).first->second; }

private:
  std::map<int, float *> all_;
  int count_ = 0;
};

void look_up_once() {
  Asked asked;
  NeverTwice unique;
  Numbered numbered;
  for (int i = 0; i < 100; ++i) {
    cudaMemset(asked.lookup(3), 0, 32);
    cudaMemset(unique.lookup(i), 0, 32);
    cudaMemset(numbered.add(3), 0, 32);
  }
}

/// The caller gives back what it gets.
class Lent {
public:
  ~Lent() {
    for (auto &entry : all_)
      cudaFree(entry.second);
  }
  float *lookup(int key) { return all_.emplace(key, made(1024)).first->second; }

private:
  std::map<int, float *> all_;
};

void take_out() {
  Lent lent;
  for (int i = 0; i < 100; ++i)
    cudaFree(lent.lookup(3));
}
