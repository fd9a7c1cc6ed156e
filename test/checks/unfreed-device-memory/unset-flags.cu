// Flags under which an object gives back what it holds, and that nothing ever sets.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class ForgottenInList {
public:
  explicit ForgottenInList(int n) : owns_(false) {
    cudaMalloc(&data_, n); // expected-warning {{device memory in 'data_' is never given back: it is given back only where 'owns_' is set, and nothing sets that so where 'ForgottenInList' takes it; do so there}} [tensor-unfreed-device-memory]
  }
  ForgottenInList(float *given, bool) : data_(given), owns_(true) {}
  ForgottenInList(const ForgottenInList &) = delete;
  ~ForgottenInList() {
    if (owns_)
      cudaFree(data_); // expected-path {{it is given back here, under that condition}}
  }

private:
  float *data_ = nullptr;
  bool owns_;
};

class ForgottenInClass {
public:
  void open(int n) {
    cudaStreamCreate(&stream_); // expected-warning {{a stream in 'stream_' is never given back: it is given back only where 'open_' is set}} [tensor-unfreed-device-memory]
    size_ = n;
  }
  ~ForgottenInClass() {
    if (open_)
      cudaStreamDestroy(stream_); // expected-path {{it is given back here}}
  }

private:
  cudaStream_t stream_ = nullptr;
  int size_ = 0;
  bool open_ = false;
};

class SetFalse {
public:
  explicit SetFalse(int n) {
    cudaMalloc(&data_, n); // expected-warning {{device memory in 'data_' is never given back}} [tensor-unfreed-device-memory]
    owns_ = false;
  }
  ~SetFalse() {
    if (owns_)
      cudaFree(data_); // expected-path {{it is given back here}}
  }

private:
  float *data_ = nullptr;
  bool owns_;
};

//===-- Near misses -----------------------------------------------------------------===//

class SetByAnother {
public:
  explicit SetByAnother(int n) : owns_(false) { cudaMalloc(&data_, n); }
  void adopt() { owns_ = true; }
  ~SetByAnother() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_;
};

class SetByCaller {
public:
  SetByCaller(int n, bool owns) : owns_(owns) { cudaMalloc(&data_, n); }
  ~SetByCaller() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_;
};

// Where the flag is not set, nothing is taken, either.
class TakenIfSet {
public:
  explicit TakenIfSet(int n) {
    if (detailed_)
      cudaMalloc(&data_, n);
    cudaMalloc(&always_, n); // expected-warning {{device memory in 'always_' is never given back}} [tensor-unfreed-device-memory]
  }
  ~TakenIfSet() {
    if (detailed_)
      cudaFree(data_);
    if (detailed_)
      cudaFree(always_); // expected-path {{it is given back here}}
  }

private:
  float *data_ = nullptr, *always_ = nullptr;
  bool detailed_ = false;
};

void decide(bool &flag);

class SetByAddress {
public:
  explicit SetByAddress(int n) : owns_(false) {
    cudaMalloc(&data_, n);
    decide(owns_);
  }
  ~SetByAddress() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_;
};

class SetWhereTaken {
public:
  void open(int n) {
    if (open_)
      return;
    cudaMalloc(&data_, n);
    open_ = true;
  }
  ~SetWhereTaken() {
    if (open_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool open_ = false;
};

class SetInUnseen {
public:
  explicit SetInUnseen(int n) : owns_(false) { cudaMalloc(&data_, n); }
  void settle();
  ~SetInUnseen() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_;
};

struct SetFromOutside {
  explicit SetFromOutside(int n) : owns(false) { cudaMalloc(&data, n); }
  ~SetFromOutside() {
    if (owns)
      cudaFree(data);
  }
  float *data = nullptr;
  bool owns;
};

void outside() {
  SetFromOutside s(4);
  s.owns = true;
}
