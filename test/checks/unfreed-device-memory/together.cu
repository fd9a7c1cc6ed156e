// One way out that loses several resources is one finding, at the first; the others are
// notes on their own lines.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
// RUN: not %tensorleak check %s --cuda-path none --checks=-*,tensor-unfreed-device-memory --format sarif -- >%t.sarif
// RUN: FileCheck %s --check-prefix SARIF --input-file %t.sarif
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <stdexcept>

__global__ void kernel(float *data, int n) {}
bool ready();
void uses(float *data, int n);

//===-- Constructors ------------------------------------------------------===//

#define THROW_ON_ERROR(call)                                                                       \
  if ((call) != cudaSuccess)                                                                       \
  throw std::runtime_error("cuda")

class Buffers {
public:
  explicit Buffers(int n) {
    THROW_ON_ERROR(cudaMalloc(&a, 4096)); // expected-warning {{'a', 'b' and 'c' (device memory) are lost when the constructor throws: no destructor runs then; call 'cudaFree' there too, or let objects own them}} [tensor-unfreed-device-memory]
    THROW_ON_ERROR(cudaMalloc(&b, 8192)); // expected-path {{'b' gets 8 KiB of device memory here}}
    THROW_ON_ERROR(cudaMalloc(&c, n));    // expected-path {{'c' gets device memory here}}
    THROW_ON_ERROR(cudaMalloc(&d, 4096)); // expected-path {{this way out leaves them behind}}
  }
  ~Buffers() {
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
  }

private:
  float *a, *b, *c, *d;
};

class Cleans {
public:
  explicit Cleans(int n) {
    THROW_ON_ERROR(cudaMalloc(&a, n));
    if (cudaMalloc(&b, n) != cudaSuccess) {
      cudaFree(a);
      throw std::runtime_error("cuda");
    }
  }
  ~Cleans() {
    cudaFree(a);
    cudaFree(b);
  }

private:
  float *a, *b;
};

// More names than a sentence bears: the notes have them all.
class Many {
public:
  explicit Many(int n) {
    cudaMalloc(&m1, 1024);       // expected-warning {{'m1', 'm2', 'm3', 'm4' and 2 others (6 KiB of device memory) are lost}} [tensor-unfreed-device-memory]
    cudaMalloc(&m2, 1024);       // expected-path {{'m2'}}
    cudaMalloc(&m3, 1024);       // expected-path {{'m3'}}
    cudaMalloc(&m4, 1024);       // expected-path {{'m4'}}
    cudaMalloc(&m5, 1024);       // expected-path {{'m5'}}
    cudaMalloc(&m6, 1024);       // expected-path {{'m6'}}
    if (n < 0)
      throw std::runtime_error("n"); // expected-path {{leaves them behind}}
  }
  ~Many();

private:
  float *m1, *m2, *m3, *m4, *m5, *m6;
};

//===-- Functions ---------------------------------------------------------===//

bool early_return(int n) {
  float *x, *y;
  cudaStream_t stream;
  cudaMalloc(&x, n); // expected-warning {{'x', 'stream' and 'y' (device memory, a stream) are not given back on every way out; call 'cudaFree' and 'cudaStreamDestroy' there too}} [tensor-unfreed-device-memory]
  cudaStreamCreate(&stream); // expected-path {{'stream' gets a stream here}}
  cudaMalloc(&y, n); // expected-path {{'y'}}
  if (!ready())
    return false; // expected-path {{leaves them behind}}
  kernel<<<1, 32, 0, stream>>>(x, n);
  cudaFree(x); // expected-path {{others are freed here}}
  cudaFree(y);
  cudaStreamDestroy(stream);
  return true;
}

bool of_one_kind(int n) {
  cudaStream_t copies, work;
  cudaStreamCreate(&copies); // expected-warning {{'copies' and 'work' (a stream each) are not given back}} [tensor-unfreed-device-memory]
  cudaStreamCreate(&work); // expected-path {{'work' gets a stream here}}
  if (!ready())
    return false; // expected-path {{leaves them behind}}
  cudaStreamDestroy(copies); // expected-path {{others are freed here}}
  cudaStreamDestroy(work);
  return true;
}

bool early_return_freed(int n) {
  float *x, *y;
  cudaMalloc(&x, n);
  cudaMalloc(&y, n);
  bool ok = ready();
  if (ok)
    kernel<<<1, 32>>>(x, n);
  cudaFree(x);
  cudaFree(y);
  return ok;
}

// The way out frees one of them, and that one is not named.
bool frees_one(int n) {
  float *x, *y, *z;
  cudaMalloc(&x, 4096); // expected-warning {{'x' and 'z' (8 KiB of device memory) are}} [tensor-unfreed-device-memory]
  cudaMalloc(&y, 4096);
  cudaMalloc(&z, 4096); // expected-path {{'z' gets 4 KiB}}
  if (!ready()) {
    cudaFree(y);
    return false; // expected-path {{this way out leaves them behind}}
  }
  cudaFree(x); // expected-path {{others are freed here}}
  cudaFree(y);
  cudaFree(z);
  return true;
}

// Two ways out that each lose something of their own are two mistakes.
bool two_ways(int n) {
  float *x, *y;
  cudaMalloc(&x, n); // expected-warning {{device memory in 'x'}} [tensor-unfreed-device-memory]
  if (!ready())
    return false; // expected-path {{leaves it behind}}
  kernel<<<1, 32>>>(x, n);
  cudaFree(x);
  cudaMalloc(&y, n); // expected-warning {{device memory in 'y'}} [tensor-unfreed-device-memory]
  if (!ready())
    return false; // expected-path {{leaves it behind}}
  kernel<<<1, 32>>>(y, n);
  cudaFree(y); // expected-path {{others are freed here}}
  return true;
}

// What a function of another file may have freed is less sure, and no part of a warning.
bool doubtful(int n) {
  float *x, *y;
  cudaMalloc(&x, n); // expected-note {{device memory in 'x'}} [tensor-unfreed-device-memory]
  cudaMalloc(&y, n); // expected-warning {{device memory in 'y'}} [tensor-unfreed-device-memory]
  uses(x, n);
  if (!ready())
    return false; // expected-path {{this way out leaves it behind}}
  cudaFree(x); // expected-path {{others are freed here}}
  cudaFree(y);
  return true;
}

// A failed product leaves less behind than an ordinary way out.
bool of_two_weights(cublasHandle_t handle, const float *host, int n) {
  float *x, *y;
  cudaMalloc(&x, n); // expected-warning {{device memory in 'x'}} [tensor-unfreed-device-memory]
  if (!ready())
    return false; // expected-path {{leaves it behind}}
  cudaMalloc(&y, n); // expected-note {{device memory in 'y'}} [tensor-unfreed-device-memory]
  if (cublasSetMatrix(n, n, sizeof(float), host, n, y, n) != CUBLAS_STATUS_SUCCESS)
    return false; // expected-path {{leaves it behind}}
  cudaFree(x); // expected-path {{others are freed here}}
  cudaFree(y);
  return true;
}

// One variable, filled in two places: of the two sizes only one is ever lost.
bool one_of_two(bool large) {
  float *x;
  if (large)
    cudaMalloc(&x, 8192); // expected-warning-re {{^device memory in 'x' is not}} [tensor-unfreed-device-memory]
  else
    cudaMalloc(&x, 4096); // expected-path {{'x' gets 4 KiB}}
  if (!ready())
    return false; // expected-path {{leaves it behind}}
  cudaFree(x); // expected-path {{others are freed here}}
  return true;
}

// The comment silences all that the finding names.
bool silenced(int n) {
  float *x, *y;
  cudaMalloc(&x, n); // NOLINT(tensor-unfreed-device-memory)
  cudaMalloc(&y, n);
  if (!ready())
    return false;
  cudaFree(x);
  cudaFree(y);
  return true;
}

// Each is a related location of its own, and one of those that a run adds up.
// SARIF:      'x' and 'z' (8 KiB of device memory) are
// SARIF:      "bytes": 8192
// SARIF:      "producers":
// SARIF:      "line": [[#FIRST:]]
// SARIF:      "line": [[#FIRST+2]]
// SARIF:      "relatedLocations":
// SARIF:      'z' gets 4 KiB of device memory here
// SARIF:      "startLine": [[#FIRST+2]]
