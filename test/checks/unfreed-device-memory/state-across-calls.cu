// What a call leaves of the members that say how much memory there is.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

__global__ void kernel(float *, int);

//===-- A limit behind a call that leaves it as it is ----------------------------===//

class Solver {
public:
  ~Solver() {
    cudaFree(work);
    cudaFree(matrix);
  }
  bool factor(int n, int needed) {
    if (!reserve(n))
      return false;
    if (needed > workSize) {
      float *grown = nullptr;
      if (cudaMalloc(&grown, needed) != cudaSuccess) // expected-warning {{'work' replaces what it held before, which nothing gives back; call 'cudaFree' first}} [tensor-unfreed-device-memory]
        return false;
      work = grown;
      workSize = needed;
    }
    return true;
  }

private:
  bool reserve(int n) {
    if (n <= matrixSize)
      return true;
    float *grown = nullptr;
    if (cudaMalloc(&grown, n) != cudaSuccess)
      return false;
    cudaFree(matrix);
    matrix = grown;
    matrixSize = n;
    return true;
  }

  float *work = nullptr, *matrix = nullptr;
  int workSize = 0, matrixSize = 0;
};

// Where the call gives back what there is, the limit begins anew.
class Renewed {
public:
  ~Renewed() { cudaFree(work); }
  void run(int n) {
    drop();
    if (n > size) {
      cudaMalloc(&work, n);
      size = n;
    }
    kernel<<<1, 1>>>(work, n);
  }

private:
  void drop() {
    cudaFree(work);
    work = nullptr;
    size = 0;
  }

  float *work = nullptr;
  int size = 0;
};

void solve(Solver &s, Renewed &r) {
  for (int n = 1; n < 9; ++n) {
    s.factor(n, 2 * n);
    r.run(n);
  }
}

//===-- Two branches on one member -----------------------------------------------===//

class Scratch {
public:
  void kept(int n) {
    float *p = nullptr;
    if (wanted)
      cudaMalloc(&p, n);
    count();
    if (wanted)
      cudaFree(p);
  }
  void left(int n) {
    float *p = nullptr;
    if (wanted)
      cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    count();
    if (wanted && n > 3)
      return; // expected-path {{this way out leaves it behind}}
    cudaFree(p); // expected-path {{others are freed here}}
  }
  void unwanted(int n) {
    float *p = nullptr;
    if (wanted)
      cudaMalloc(&p, n);
    count();
    if (!wanted)
      return;
    cudaFree(p);
  }

private:
  void count() {
    ++rounds;
    cudaFree(nullptr); // so that the device is ready
  }

  bool wanted = false;
  int rounds = 0;
};

void scratch(Scratch &s) {
  s.kept(3);
  s.left(3);
  s.unwanted(3);
}
