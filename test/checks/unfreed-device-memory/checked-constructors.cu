// A constructor whose calls are looked at by a function that throws where they failed.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

static void check(cudaError_t error, int line = __builtin_LINE()) {
  if (error != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(error));
}

class Loses {
public:
  explicit Loses(int n) {
    check(cudaStreamCreate(&stream)); // expected-warning {{'stream' and 'data' (a stream, device memory) are lost when the constructor throws}} [tensor-unfreed-device-memory]
    check(cudaMalloc(&data, n)); // expected-path {{'data' gets device memory here}}
    check(cudaEventCreate(&event)); // expected-path {{this way out leaves them behind}}
  }
  ~Loses() {
    cudaEventDestroy(event);
    cudaFree(data);
    cudaStreamDestroy(stream);
  }

private:
  cudaStream_t stream = nullptr;
  float *data = nullptr;
  cudaEvent_t event = nullptr;
};

// A kernel or a copy that fails mostly ends the program anyway.
class LosesByCopy {
public:
  LosesByCopy(const float *host, int n) {
    check(cudaMalloc(&data, n)); // expected-note {{in 'data' is lost when the constructor throws}} [tensor-unfreed-device-memory]
    check(cudaMemcpy(data, host, n, cudaMemcpyHostToDevice)); // expected-path {{this way out leaves it behind}}
  }
  ~LosesByCopy() { cudaFree(data); }

private:
  float *data = nullptr;
};

//===-- Near misses -------------------------------------------------------===//

// What the failed call should have taken is not there.
class TakesOne {
public:
  explicit TakesOne(int n) { check(cudaMalloc(&data, n)); }
  ~TakesOne() { cudaFree(data); }

private:
  float *data = nullptr;
};

class CleansUp {
public:
  explicit CleansUp(int n) {
    try {
      check(cudaStreamCreate(&stream));
      check(cudaMalloc(&data, n));
    } catch (...) {
      release();
      throw;
    }
  }
  ~CleansUp() { release(); }

private:
  void release() {
    cudaFree(data);
    if (stream)
      cudaStreamDestroy(stream);
  }
  cudaStream_t stream = nullptr;
  float *data = nullptr;
};

// The objects that are done free themselves.
class Owned {
public:
  explicit Owned(int n) : one(n), other(n) { check(cudaDeviceSynchronize()); }

private:
  TakesOne one, other;
};

class Terminates {
public:
  explicit Terminates(int n) noexcept {
    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&data, n));
  }
  ~Terminates() {
    cudaFree(data);
    cudaStreamDestroy(stream);
  }

private:
  cudaStream_t stream = nullptr;
  float *data = nullptr;
};

// Elsewhere a failed call is another matter.
void use(int n) {
  float *data, *other;
  check(cudaMalloc(&data, n));
  check(cudaMalloc(&other, n));
  check(cudaFree(data));
  check(cudaFree(other));
}

// Who cleans up by objects is written for exceptions: what is held by a plain pointer stays.
class Image {
public:
  explicit Image(int n) { check(cudaMalloc(&data, n)); }
  Image(const Image &) = delete;
  ~Image() { cudaFree(data); }
  float *data = nullptr;
};

void blurs(int n) {
  Image in(n);
  float *blurred;
  check(cudaMalloc(&blurred, n)); // expected-note {{device memory in 'blurred' is not given back when this function throws}} [tensor-unfreed-device-memory]
  check(cudaMemset(blurred, 0, n)); // expected-path {{this way out leaves it behind}}
  cudaFree(blurred); // expected-path {{others are freed here}}
}

void blurs_in_objects(int n) {
  Image in(n), blurred(n);
  check(cudaMemset(blurred.data, 0, n));
}

void nothing_fails_between(int n) {
  Image in(n);
  float *blurred;
  check(cudaMalloc(&blurred, n));
  cudaFree(blurred);
  check(cudaMemset(in.data, 0, n));
}

//===-- In a list ---------------------------------------------------------------===//

class Windows {
public:
  explicit Windows(int count) : windows(count, nullptr) {
    for (int i = 0; i < count; ++i)
      if (cudaMalloc(&windows[i], 1024) != cudaSuccess) { // expected-warning {{in 'windows[]' is lost when the constructor throws}} [tensor-unfreed-device-memory]
        windows[i] = nullptr;
        throw std::runtime_error("no memory"); // expected-path {{this way out leaves it behind}}
      }
  }
  ~Windows() {
    for (float *window : windows)
      cudaFree(window);
  }

private:
  std::vector<float *> windows;
};

class WindowsThatGo {
public:
  explicit WindowsThatGo(int count) : windows(count, nullptr) {
    for (int i = 0; i < count; ++i)
      if (cudaMalloc(&windows[i], 1024) != cudaSuccess) {
        windows[i] = nullptr;
        release();
        throw std::runtime_error("no memory");
      }
  }
  ~WindowsThatGo() { release(); }

private:
  void release() {
    for (float *window : windows)
      cudaFree(window);
  }
  std::vector<float *> windows;
};

// What another object has is that one's.
struct Context {
  float *scratch = nullptr;
};

class Worker {
public:
  explicit Worker(Context *context, int n) : context(context) {
    cudaMalloc(&this->context->scratch, n);
    if (n > 4)
      throw std::runtime_error("too many");
  }

private:
  Context *context;
};
