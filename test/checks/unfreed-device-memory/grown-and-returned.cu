// A method that makes room in a member and returns it: who uses the result frees nothing.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>

class Forgets {
public:
  Forgets() { cudaMalloc(&fixed, 100); }
  ~Forgets() { cudaFree(fixed); } // expected-path {{'~Forgets' is here}}
  void clear(size_t n) {
    void *room = scratch(n); // reported once, where it is allocated
    cudaMemset(room, 0, n);
  }

private:
  void *scratch(size_t n) {
    if (n > size) {
      cudaFree(scratch_);
      cudaMalloc(&scratch_, n); // expected-warning {{'scratch_' is never given back; '~Forgets' frees 'fixed' and forgets it}} [tensor-unfreed-device-memory]
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

// What a second call gives back is what the first one has taken: room is made again, and no more.
void used_again(Forgets &one, Frees &other) {
  one.clear(1);
  one.clear(2);
  other.clear(1);
  other.clear(2);
}

// Somebody who is done with it gives it back.
class Lets_go {
public:
  Lets_go() { cudaMalloc(&fixed, 100); }
  ~Lets_go() { cudaFree(fixed); }
  void fill(size_t n) {
    cudaFree(room);
    cudaMalloc(&room, n);
  }
  void done() {
    cudaFree(room);
    room = nullptr;
  }

private:
  void *fixed = nullptr, *room = nullptr;
};

void filled_again(Lets_go &one) {
  one.fill(1);
  one.fill(2);
  one.done();
}
