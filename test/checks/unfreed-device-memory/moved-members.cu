// A member gets what another one held before: the destructor has to give back both.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

class Reloaded {
public:
  Reloaded() {}
  Reloaded(const Reloaded &) = delete;
  ~Reloaded() { // expected-path {{'~Reloaded' is here}}
    if (current_)
      cudaFree(current_);
  }
  void reload(int n) {
    float *next = nullptr;
    cudaMalloc(&next, n); // expected-warning {{device memory in 'previous_' is never given back; '~Reloaded' frees 'current_' and forgets it; call 'cudaFree' there}} [tensor-unfreed-device-memory]
    if (previous_)
      cudaFree(previous_);
    previous_ = current_;
    current_ = next;
  }

private:
  float *current_ = nullptr;
  float *previous_ = nullptr;
};

//===-- Near misses -----------------------------------------------------------------===//

class BothGiven {
public:
  BothGiven() {}
  BothGiven(const BothGiven &) = delete;
  ~BothGiven() {
    cudaFree(current_);
    cudaFree(previous_);
  }
  void reload(int n) {
    cudaFree(previous_);
    previous_ = current_;
    current_ = nullptr;
    cudaMalloc(&current_, n);
  }

private:
  float *current_ = nullptr;
  float *previous_ = nullptr;
};

// The other member only names the newest of the list.
class InList {
public:
  InList() {}
  InList(const InList &) = delete;
  ~InList() {
    for (float *p : all_)
      cudaFree(p);
  }
  void add(int n) {
    float *next = nullptr;
    cudaMalloc(&next, n);
    all_.push_back(next);
    before_ = newest_;
    newest_ = next;
  }

private:
  std::vector<float *> all_;
  float *newest_ = nullptr, *before_ = nullptr;
};

// The member still has it.
class SecondName {
public:
  SecondName() {}
  SecondName(const SecondName &) = delete;
  ~SecondName() { cudaFree(data_); }
  void open(int n) {
    if (data_)
      return;
    cudaMalloc(&data_, n);
  }
  void rewind() { cursor_ = data_; }

private:
  float *data_ = nullptr, *cursor_ = nullptr;
};
