// A method that makes room in a member and returns it: who uses the result frees nothing.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>

class Forgets {
public:
  Forgets() { cudaMalloc(&fixed, 100); }
  ~Forgets() { cudaFree(fixed); } // expected-path {{'~Forgets' is here}} expected-path {{'~Forgets' is here}}
  void clear(size_t n) {
    void *room = scratch(n); // expected-warning {{'scratch_' is never given back; '~Forgets' frees 'fixed' and forgets it}} [tensor-unfreed-device-memory]
    cudaMemset(room, 0, n);
  }

private:
  void *scratch(size_t n) {
    if (n > size) {
      cudaFree(scratch_);
      cudaMalloc(&scratch_, n); // expected-warning {{'scratch_' is never given back; '~Forgets' frees 'fixed' and forgets it}} [tensor-unfreed-device-memory] expected-path {{it is allocated here}}
      size = n;
    }
    return scratch_;
  }
  void *fixed = nullptr, *scratch_ = nullptr;
  size_t size = 0;
};

class Frees {
public:
  Frees() { cudaMalloc(&fixed, 100); }
  ~Frees() {
    cudaFree(fixed);
    cudaFree(scratch_);
  }
  void clear(size_t n) {
    void *room = scratch(n);
    cudaMemset(room, 0, n);
  }

private:
  void *scratch(size_t n) {
    if (n > size) {
      cudaFree(scratch_);
      cudaMalloc(&scratch_, n);
      size = n;
    }
    return scratch_;
  }
  void *fixed = nullptr, *scratch_ = nullptr;
  size_t size = 0;
};
