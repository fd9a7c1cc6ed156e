// A move that takes over what an object holds, and not the flag under which it is given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>

class Buffer {
public:
  explicit Buffer(int n) : owns_(true) {
    cudaMalloc(&data_, n); // expected-path {{'data_' gets it here}}
  }
  Buffer(Buffer &&other) noexcept : data_(other.data_) { // expected-warning {{device memory in 'data_' is lost by this move: it is given back only where 'owns_' is set; take that over, too}} [tensor-unfreed-device-memory]
    other.data_ = nullptr;
    other.owns_ = false;
  }
  ~Buffer() {
    if (owns_)
      cudaFree(data_); // expected-path {{it is given back here, under that condition}}
  }
  float *data() const { return data_; }

private:
  float *data_ = nullptr;
  bool owns_ = false;
};

class Stream {
public:
  Stream() : open_(1) {
    cudaStreamCreate(&stream_); // expected-path {{'stream_' gets it here}}
  }
  Stream(Stream &&other) noexcept
      : stream_(std::exchange(other.stream_, nullptr)), open_(0) {} // expected-warning {{a stream in 'stream_' is lost by this move}} [tensor-unfreed-device-memory]
  ~Stream() {
    if (open_)
      cudaStreamDestroy(stream_); // expected-path {{it is given back here}}
  }

private:
  cudaStream_t stream_;
  int open_;
};

//===-- Near misses -----------------------------------------------------------------===//

class FlagTaken {
public:
  explicit FlagTaken(int n) : owns_(true) { cudaMalloc(&data_, n); }
  FlagTaken(FlagTaken &&other) noexcept : data_(other.data_), owns_(other.owns_) {
    other.data_ = nullptr;
  }
  ~FlagTaken() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_ = false;
};

class FlagSetInBody {
public:
  explicit FlagSetInBody(int n) : owns_(true) { cudaMalloc(&data_, n); }
  FlagSetInBody(FlagSetInBody &&other) noexcept : data_(other.data_) {
    owns_ = other.data_ != nullptr;
    other.data_ = nullptr;
  }
  ~FlagSetInBody() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_ = false;
};

// A second name, while the first object goes on to own it.
class StaysBehind {
public:
  explicit StaysBehind(int n) : owns_(true) { cudaMalloc(&data_, n); }
  StaysBehind(StaysBehind &&other) noexcept : data_(other.data_) {}
  ~StaysBehind() {
    if (owns_)
      cudaFree(data_);
  }

private:
  float *data_ = nullptr;
  bool owns_ = false;
};
