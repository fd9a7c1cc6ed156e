// Ways out that only a failed call takes, told by the type of its status: also of a
// library from which the function takes nothing. Beside them ways out that an ordinary
// enum decides.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cublas_v2.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <cufft.h>

__global__ void kernel(float *data, int n) {}
bool ready();

// The handle is the caller's: only a failed product leaves the memory behind.
int library_call_fails(cublasHandle_t handle, const float *host, int n) {
  float *a;
  if (cudaMalloc(&a, n * n * sizeof(float)) != cudaSuccess) // expected-note {{'a'}} [tensor-unfreed-device-memory]
    return 1;
  cublasStatus_t status = cublasSetMatrix(n, n, sizeof(float), host, n, a, n);
  if (status != CUBLAS_STATUS_SUCCESS)
    return 1; // expected-path {{this way out}}
  cudaFree(a); // expected-path {{others are freed here}}
  return 0;
}

int library_call_fails_freed(cublasHandle_t handle, const float *host, int n) {
  float *a;
  if (cudaMalloc(&a, n * n * sizeof(float)) != cudaSuccess)
    return 1;
  if (cublasSetMatrix(n, n, sizeof(float), host, n, a, n)) {
    cudaFree(a);
    return 1;
  }
  cudaFree(a);
  return 0;
}

#define RETURN_ON_CUFFT(call)                                                                      \
  if ((call) != CUFFT_SUCCESS)                                                                     \
  return false

bool by_a_macro(cufftHandle plan, int n) {
  cufftComplex *signal;
  if (cudaMalloc((void **)&signal, n * sizeof(cufftComplex)) != cudaSuccess) // expected-note {{'signal'}} [tensor-unfreed-device-memory]
    return false;
  RETURN_ON_CUFFT(cufftExecC2C(plan, signal, signal, CUFFT_FORWARD)); // expected-path {{this way out leaves it behind}}
  cudaFree(signal); // expected-path {{others are freed here}}
  return true;
}

// A failed call on one way out, and an ordinary condition on another.
bool and_another_way_out(cufftHandle plan, int n) {
  cufftComplex *signal;
  if (cudaMalloc((void **)&signal, n * sizeof(cufftComplex)) != cudaSuccess) // expected-warning {{'signal'}} [tensor-unfreed-device-memory]
    return false;
  RETURN_ON_CUFFT(cufftExecC2C(plan, signal, signal, CUFFT_FORWARD));
  if (!ready())
    return false; // expected-path {{this way out}}
  cudaFree(signal); // expected-path {{others are freed here}}
  return true;
}

// Enums that are no status: the library's own, and the program's.
bool by_an_option(cublasOperation_t operation, int n) {
  float *a;
  cudaMalloc(&a, n); // expected-warning {{'a'}} [tensor-unfreed-device-memory]
  if (operation != CUBLAS_OP_N)
    return false; // expected-path {{this way out leaves it behind}}
  kernel<<<1, 32>>>(a, n);
  cudaFree(a); // expected-path {{others are freed here}}
  return true;
}

enum class Mode { Once, Always };
bool by_the_programs_enum(Mode mode, int n) {
  float *a;
  cudaMalloc(&a, n); // expected-warning {{'a'}} [tensor-unfreed-device-memory]
  if (mode == Mode::Once)
    return false; // expected-path {{this way out leaves it behind}}
  kernel<<<1, 32>>>(a, n);
  cudaFree(a); // expected-path {{others are freed here}}
  return true;
}

// Running out of memory is what a program survives, whatever the status is called.
int plan_fails(cufftHandle *plan, int n) {
  float *a;
  if (cudaMalloc(&a, n) != cudaSuccess) // expected-warning {{'a'}} [tensor-unfreed-device-memory]
    return 1;
  if (cufftPlan1d(plan, n, CUFFT_C2C, 1) != CUFFT_SUCCESS)
    return 1; // expected-path {{this way out leaves it behind}}
  cudaFree(a); // expected-path {{others are freed here}}
  return 0;
}

// What prints leaves the last error as it is; another call of the device's has its own.
size_t available_and_printed(size_t bytes) {
  void *work;
  while (true) {
    cudaMalloc(&work, bytes);
    std::printf("%zu\n", bytes);
    if (cudaGetLastError() == cudaSuccess)
      break;
    bytes -= 1 << 20;
  }
  cudaFree(work);
  return bytes;
}

size_t available_after_another_call(size_t bytes, void *other) {
  void *work;
  while (true) {
    cudaMalloc(&work, bytes); // expected-warning {{'work' is taken anew in each round}} [tensor-unfreed-device-memory]
    cudaMemset(other, 0, 4);
    if (cudaGetLastError() == cudaSuccess)
      break;
    bytes -= 1 << 20;
  }
  cudaFree(work);
  return bytes;
}

//===-- A macro that asks again when the call has failed -----------------------===//

#define unlikely(x) __builtin_expect((x) ? 1 : 0, 0)
void report(const char *what, cudaError_t code);
#define CHECK_AGAIN(call)                                                                          \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (unlikely(error != cudaSuccess))                                                            \
      report(#call, (call));                                                                       \
  } while (false)

void asked_again(int n) {
  float *p;
  CHECK_AGAIN(cudaMalloc(&p, n));
  cudaFree(p);
}
void asked_again_and_kept(int n) {
  float *p;
  CHECK_AGAIN(cudaMalloc(&p, n)); // expected-warning {{in 'p' is not given back before 'asked_again_and_kept' returns}} [tensor-unfreed-device-memory]
}
