// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Functions that turn the status of a call into an answer of another kind, or hand it on.
#include <cuda_runtime.h>

void log(const char *what);

bool worked(cudaError_t e, const char *what) {
  if (e == cudaSuccess)
    return true;
  log(what);
  return false;
}

int code(cudaError_t e) { return e == cudaSuccess ? 0 : -1; }

// What it returns for a success depends on something else, too.
bool workedOrQuiet(cudaError_t e, bool isQuiet) {
  if (e == cudaSuccess || isQuiet)
    return true;
  return false;
}

// Nothing is lost where nothing was had.
bool setToNull(int n) {
  float *p = nullptr;
  if (!worked(cudaMalloc(&p, n), "p"))
    p = nullptr;
  if (!p)
    return false;
  cudaFree(p);
  return true;
}

bool lostWhereItWorked(int n) {
  float *p = nullptr;
  if (worked(cudaMalloc(&p, n), "p")) // expected-warning {{device memory in 'p' is overwritten before it is given back}} [tensor-unfreed-device-memory]
    p = nullptr; // expected-path {{it is overwritten here}}
  if (!p)
    return false;
  cudaFree(p);
  return true;
}

class Texture {
public:
  ~Texture() { cudaFree(data); }
  bool load(int n) {
    if (data)
      return true;
    if (!worked(cudaMalloc(&data, n), "texture")) {
      data = nullptr;
      return false;
    }
    return true;
  }

private:
  float *data = nullptr;
};

// The second is asked for on its own.
int keptByCode(int n) {
  float *p = nullptr, *q = nullptr;
  int rc = code(cudaMalloc(&p, n)); // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (rc < 0)
    return rc;
  rc = code(cudaMalloc(&q, n));
  if (rc < 0)
    return rc; // expected-path {{this way out}}
  cudaFree(p); // expected-path {{others are freed here}}
  cudaFree(q);
  return 0;
}

int keptByCodeAndFreed(int n) {
  float *p = nullptr, *q = nullptr;
  int rc = code(cudaMalloc(&p, n));
  if (rc == 0)
    rc = code(cudaMalloc(&q, n));
  if (rc == 0)
    cudaFree(q);
  if (p)
    cudaFree(p);
  return rc;
}

bool lostByLambda(int n) {
  auto failed = [](cudaError_t e) { return e != cudaSuccess; };
  float *p = nullptr, *q = nullptr;
  if (failed(cudaMalloc(&p, n))) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  if (failed(cudaMalloc(&q, n)))
    return false; // expected-path {{this way out}}
  cudaFree(p); // expected-path {{others are freed here}}
  cudaFree(q);
  return true;
}

// It may be there where the answer is no.
bool toldOfSomethingElse(int n, bool isQuiet) {
  float *p = nullptr;
  if (!workedOrQuiet(cudaMalloc(&p, n), isQuiet))
    return false;
  cudaFree(p);
  return true;
}
