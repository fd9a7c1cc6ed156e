// A member or a global points to an array, made by the same file, whose elements hold the memory.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void work(float *data, int n) { data[n] = 1; }
void give_back(float **all, int n);

class Beside {
public:
  explicit Beside(int n) : n_(n) {
    buffers_ = (float **)malloc(n * sizeof(float *));
    for (int i = 0; i < n; ++i)
      cudaMalloc(&buffers_[i], 4096); // expected-warning {{'buffers_[]' is never given back; '~Beside' frees 'one_' and forgets it}} [tensor-unfreed-device-memory]
    cudaMalloc(&one_, 4096);
  }
  ~Beside() { // expected-path {{'~Beside' is here}}
    cudaFree(one_);
    free(buffers_);
  }
  void run() {
    for (int i = 0; i < n_; ++i)
      work<<<1, 32>>>(buffers_[i], n_);
    work<<<1, 32>>>(one_, n_);
  }

private:
  int n_;
  float **buffers_, *one_;
};

class OnlyTheArray {
public:
  explicit OnlyTheArray(int n) : n_(n), buffers_(new float *[n]) {
    for (int i = 0; i < n; ++i)
      cudaMalloc(&buffers_[i], 4096); // expected-warning {{'buffers_[]' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  }
  ~OnlyTheArray() { delete[] buffers_; } // expected-path {{'~OnlyTheArray' is here}}
  void run() {
    float **each = buffers_;
    work<<<1, 32>>>(each[0], n_);
  }

private:
  int n_;
  float **buffers_;
};

struct Context {
  float **parts;
  float *one;
  int n;
};
void begin(Context *c, int n) {
  c->n = n;
  c->parts = (float **)malloc(n * sizeof(float *));
  cudaMalloc(&c->one, 64);
  for (int i = 0; i < n; ++i)
    cudaMalloc(&c->parts[i], 4096); // expected-warning {{'c->parts[]' is never given back; 'end' frees 'one' and forgets it}} [tensor-unfreed-device-memory]
}
void end(Context *c) { // expected-path {{'end' is here}}
  cudaFree(c->one);
  free(c->parts);
}

static float **sequences;
void send(int n) {
  sequences = (float **)malloc(n * sizeof(float *));
  for (int i = 0; i < n; ++i)
    cudaMalloc(&sequences[i], 4096); // expected-note {{'sequences[]' is never given back; nothing in this file calls 'cudaFree' on it, and each call of 'send' takes more}} [tensor-unfreed-device-memory]
}

// Given back, by whatever name the array goes there.
class ByAnotherName {
public:
  explicit ByAnotherName(int n) : n_(n), buffers_(new float *[n]) {
    for (int i = 0; i < n; ++i)
      cudaMalloc(&buffers_[i], 4096);
  }
  ~ByAnotherName() {
    for (float **each = buffers_; each != buffers_ + n_; ++each)
      cudaFree(*each);
    delete[] buffers_;
  }

private:
  int n_;
  float **buffers_;
};

class ByHelper {
public:
  explicit ByHelper(int n) : n_(n), buffers_(new float *[n]) {
    for (int i = 0; i < n; ++i)
      cudaMalloc(&buffers_[i], 4096);
  }
  ~ByHelper() { free_all(buffers_, n_); }

private:
  static void free_all(float **all, int n) {
    for (int i = 0; i < n; ++i)
      cudaFree(all[i]);
    delete[] all;
  }
  int n_;
  float **buffers_;
};

// An array that others have, or have made, may be theirs to empty.
class ByOthers {
public:
  explicit ByOthers(int n) : n_(n), buffers_(new float *[n]) {
    for (int i = 0; i < n; ++i)
      cudaMalloc(&buffers_[i], 4096);
  }
  ~ByOthers() { give_back(buffers_, n_); }

private:
  int n_;
  float **buffers_;
};

class OfOthers {
public:
  OfOthers(float **slots, int n) : n_(n), slots_(slots) {
    for (int i = 0; i < n; ++i)
      cudaMalloc(&slots_[i], 4096);
  }
  ~OfOthers() {}

private:
  int n_;
  float **slots_;
};

// All that the device has is given back.
class ByReset {
public:
  explicit ByReset(int n) : n_(n), buffers_(new float *[n]) {
    for (int i = 0; i < n; ++i)
      cudaMalloc(&buffers_[i], 4096);
    cudaMalloc(&one_, 4096);
  }
  ~ByReset() {
    cudaFree(one_);
    cudaDeviceReset();
    delete[] buffers_;
  }

private:
  int n_;
  float **buffers_, *one_;
};
