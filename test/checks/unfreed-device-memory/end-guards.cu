// A guard that is told to do nothing at its end: from there on the function has to give back what
// the guard would have.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

template <class Callable>
class ScopeExit {
public:
  explicit ScopeExit(Callable callable) : callable_(callable) {}
  ScopeExit(const ScopeExit &) = delete;
  ~ScopeExit() {
    if (active_)
      callable_();
  }
  void dismiss() { active_ = false; }

private:
  Callable callable_;
  bool active_ = true;
};

class Owner {
public:
  explicit Owner(float *data) : data_(data) {}
  Owner(const Owner &) = delete;
  ~Owner() {
    if (!released_)
      cudaFree(data_);
  }
  void release() { released_ = true; }

private:
  float *data_;
  bool released_ = false;
};

__global__ void use(float *data);
int count(const float *data);

float *tooEarly(int n) {
  float *data = nullptr;
  cudaMalloc(&data, n); // expected-note {{device memory in 'data' is not given back on every way out}} [tensor-unfreed-device-memory]
  ScopeExit guard([&] { cudaFree(data); });
  use<<<1, 1>>>(data);
  guard.dismiss();
  if (cudaGetLastError() != cudaSuccess)
    return nullptr; // expected-path {{this way out leaves it behind}}
  return data;
}

float *ownerTooEarly(int n) {
  float *data = nullptr;
  cudaMalloc(&data, n); // expected-note {{device memory in 'data' is not given back on every way out}} [tensor-unfreed-device-memory]
  Owner owner(data);
  use<<<1, 1>>>(data);
  owner.release();
  if (cudaGetLastError() != cudaSuccess)
    return nullptr; // expected-path {{this way out leaves it behind}}
  return data;
}

// Also where nothing has failed.
struct Matches {
  float *data;
  int count;
};
bool tooMany(int n, Matches &out) {
  float *data = nullptr;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back on every way out}} [tensor-unfreed-device-memory]
  ScopeExit guard([&] { cudaFree(data); });
  Matches matches{data, 0};
  guard.dismiss();
  matches.count = count(data);
  if (matches.count > n)
    return false; // expected-path {{this way out leaves it behind}}
  out = matches;
  return true;
}

//===-- Near misses -----------------------------------------------------------------===//

float *lastOfAll(int n) {
  float *data = nullptr;
  cudaMalloc(&data, n);
  ScopeExit guard([&] { cudaFree(data); });
  use<<<1, 1>>>(data);
  if (cudaGetLastError() != cudaSuccess)
    return nullptr;
  guard.dismiss();
  return data;
}

float *ownerLast(int n) {
  float *data = nullptr;
  cudaMalloc(&data, n);
  Owner owner(data);
  use<<<1, 1>>>(data);
  if (cudaGetLastError() != cudaSuccess)
    return nullptr;
  owner.release();
  return data;
}

bool underCondition(int n, float **out) {
  float *data = nullptr;
  cudaMalloc(&data, n);
  ScopeExit guard([&] { cudaFree(data); });
  use<<<1, 1>>>(data);
  const bool isGood = cudaGetLastError() == cudaSuccess;
  if (isGood) {
    guard.dismiss();
    *out = data;
  }
  return isGood;
}

struct Result {
  float *data;
  int count;
};
Result inRecord(int n) {
  float *data = nullptr;
  cudaMalloc(&data, n);
  ScopeExit guard([&] { cudaFree(data); });
  Result result{data, 0};
  guard.dismiss();
  result.count = n;
  return result;
}

void freedByHand(int n) {
  float *data = nullptr;
  cudaMalloc(&data, n);
  ScopeExit guard([&] { cudaFree(data); });
  use<<<1, 1>>>(data);
  guard.dismiss();
  cudaFree(data);
}

void neverDismissed(int n, bool isDry) {
  float *data = nullptr;
  cudaMalloc(&data, n);
  ScopeExit guard([&] { cudaFree(data); });
  if (isDry)
    return;
  use<<<1, 1>>>(data);
}

// What frees at once is no guard, nor is what can be armed again.
class Buffer {
public:
  explicit Buffer(int n) { take(n); }
  Buffer(const Buffer &) = delete;
  ~Buffer() {
    if (isTaken_)
      cudaFree(data_);
  }
  void clear() {
    if (isTaken_)
      cudaFree(data_);
    isTaken_ = false;
  }
  void take(int n) {
    clear();
    cudaMalloc(&data_, n);
    isTaken_ = true;
  }

private:
  float *data_ = nullptr;
  bool isTaken_ = false;
};

void cleared(int n) {
  Buffer buffer(n);
  buffer.clear();
  buffer.take(2 * n);
}
