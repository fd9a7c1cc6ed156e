// A member is set to null and filled again, while what others of the object held is given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class Surface {
public:
  Surface() {}
  Surface(const Surface &) = delete;
  ~Surface() {
    cudaFree(luma_);
    cudaFree(alpha_);
  }
  void configure(int n, bool withAlpha) {
    if (luma_)
      cudaFree(luma_); // expected-path {{another member is given back here}}
    luma_ = alpha_ = nullptr;
    cudaMalloc(&luma_, n);
    if (withAlpha)
      cudaMalloc(&alpha_, n); // expected-warning {{device memory in 'alpha_' replaces what it held before, which nothing gives back; call 'cudaFree' first}} [tensor-unfreed-device-memory]
  }

private:
  char *luma_ = nullptr;
  char *alpha_ = nullptr;
};

//===-- Near misses -----------------------------------------------------------------===//

class BothGiven {
public:
  BothGiven() {}
  BothGiven(const BothGiven &) = delete;
  ~BothGiven() {
    cudaFree(luma_);
    cudaFree(alpha_);
  }
  void configure(int n, bool withAlpha) {
    if (luma_)
      cudaFree(luma_);
    if (alpha_)
      cudaFree(alpha_);
    luma_ = alpha_ = nullptr;
    cudaMalloc(&luma_, n);
    if (withAlpha)
      cudaMalloc(&alpha_, n);
  }

private:
  char *luma_ = nullptr;
  char *alpha_ = nullptr;
};

// Begins: nothing was there.
class Started {
public:
  Started() {}
  Started(const Started &) = delete;
  ~Started() {
    cudaFree(luma_);
    cudaFree(alpha_);
  }
  bool start(int n) {
    luma_ = nullptr;
    alpha_ = nullptr;
    return cudaMalloc(&luma_, n) == cudaSuccess && cudaMalloc(&alpha_, n) == cudaSuccess;
  }

private:
  char *luma_;
  char *alpha_;
};

// Somebody else has what was there.
class Handing {
public:
  Handing() {}
  Handing(const Handing &) = delete;
  ~Handing() {
    cudaFree(luma_);
    cudaFree(alpha_);
  }
  void next(int n, void (*take)(char *)) {
    cudaFree(luma_);
    luma_ = nullptr;
    take(alpha_);
    alpha_ = nullptr;
    cudaMalloc(&luma_, n);
    cudaMalloc(&alpha_, n);
  }

private:
  char *luma_ = nullptr;
  char *alpha_ = nullptr;
};
