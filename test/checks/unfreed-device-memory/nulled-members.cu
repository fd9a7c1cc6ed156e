// A method empties a member and gives nothing back: the destructor finds nothing there any more.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <optional>

class Buffer {
public:
  Buffer() {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { cudaFree(data_); }
  void ensure(int n) {
    if (n <= size_)
      return;
    cudaFree(data_);
    cudaMalloc(&data_, n); // expected-path {{'data_' gets it here}}
    size_ = n;
  }
  void reset() {
    data_ = nullptr; // expected-warning {{device memory in 'data_' is lost where the member is emptied here; call 'cudaFree' first}} [tensor-unfreed-device-memory]
    size_ = 0;
  }

private:
  float *data_ = nullptr;
  int size_ = 0;
};

class Timer {
public:
  Timer() {}
  Timer(const Timer &) = delete;
  ~Timer() {
    if (begin_)
      cudaEventDestroy(*begin_);
  }
  void begin() {
    if (!begin_) {
      cudaEvent_t event{};
      cudaEventCreate(&event); // expected-path {{'begin_' gets it here}}
      begin_ = event;
    }
    cudaEventRecord(*begin_);
  }
  void abandon() {
    begin_.reset(); // expected-warning {{an event in 'begin_' is lost where the member is emptied here; call 'cudaEventDestroy' first}} [tensor-unfreed-device-memory]
  }

private:
  std::optional<cudaEvent_t> begin_{};
};

//===-- Near misses -----------------------------------------------------------------===//

class Freed {
public:
  Freed() {}
  Freed(const Freed &) = delete;
  ~Freed() { reset(); }
  void take(int n) {
    reset();
    cudaMalloc(&data_, n);
  }
  void reset() {
    if (data_)
      cudaFree(data_);
    data_ = nullptr;
  }

private:
  float *data_ = nullptr;
};

// Begins with it: a constructor leaves the member to the method.
class Begun {
public:
  Begun() { init(); }
  Begun(const Begun &) = delete;
  ~Begun() { cudaFree(data_); }
  void init() {
    data_ = nullptr;
    size_ = 0;
  }
  void take(int n) {
    if (!data_)
      cudaMalloc(&data_, n);
    size_ = n;
  }

private:
  float *data_;
  int size_;
};

// Somebody else has it.
class HandedOut {
public:
  HandedOut() {}
  HandedOut(const HandedOut &) = delete;
  ~HandedOut() { cudaFree(data_); }
  void take(int n) {
    if (!data_)
      cudaMalloc(&data_, n);
  }
  float *release() {
    float *data = data_;
    data_ = nullptr;
    return data;
  }
  void moveTo(HandedOut &other) {
    cudaFree(other.data_);
    other.data_ = data_;
    data_ = nullptr;
  }

private:
  float *data_ = nullptr;
};

// By whom it is called, it has been given back.
class GivenBefore {
public:
  GivenBefore() {}
  GivenBefore(const GivenBefore &) = delete;
  ~GivenBefore() { cudaFree(data_); }
  void take(int n) {
    if (!data_)
      cudaMalloc(&data_, n);
  }
  void close() {
    cudaFree(data_);
    forget();
  }

private:
  void forget() { data_ = nullptr; }
  float *data_ = nullptr;
};

// At times it is another's.
class Borrowing {
public:
  Borrowing() {}
  Borrowing(const Borrowing &) = delete;
  ~Borrowing() {
    if (owns_)
      cudaFree(data_);
  }
  void take(int n) {
    if (!data_)
      cudaMalloc(&data_, n);
    owns_ = true;
  }
  void borrow(float *data) {
    if (owns_)
      return;
    data_ = data;
  }
  void giveUp() {
    if (!owns_)
      data_ = nullptr;
  }

private:
  float *data_ = nullptr;
  bool owns_ = false;
};

// What cudaDeviceReset() gives back, what a lambda gives back, and what could not be had.
class GivenOtherwise {
public:
  GivenOtherwise() {}
  GivenOtherwise(const GivenOtherwise &) = delete;
  ~GivenOtherwise() { cudaFree(data_); }
  bool take(int n) {
    if (data_)
      return true;
    const bool isTaken = cudaMalloc(&data_, n) == cudaSuccess;
    if (!isTaken)
      forget();
    return isTaken;
  }
  void lose() {
    cudaDeviceReset();
    data_ = nullptr;
  }
  void clear() {
    auto give = [data = data_] { cudaFree(data); };
    data_ = nullptr;
    give();
  }

private:
  void forget() { data_ = nullptr; }
  float *data_ = nullptr;
};
