// Device memory that a path leaves behind (row 24), beside its clean twins.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <typeinfo>

__global__ void kernel(float *data, int n) {}
bool ready();

void never(int n) {
  float *scratch;
  cudaMalloc(&scratch, 4096 * sizeof(float)); // expected-warning {{16 KiB of device memory in 'scratch'}} [tensor-unfreed-device-memory]
  kernel<<<1, 32>>>(scratch, n);
} // expected-fix {{cudaFree(scratch);}}

void always(int n) {
  float *scratch;
  cudaMalloc(&scratch, n * sizeof(float));
  kernel<<<1, 32>>>(scratch, n);
  cudaFree(scratch);
}

bool early_return(int n) {
  float *data;
  cudaMalloc((void **)&data, n * sizeof(float)); // expected-warning {{every way out}} [tensor-unfreed-device-memory]
  if (!ready())
    return false; // expected-path {{this way out leaves it behind}}
  kernel<<<1, 32>>>(data, n);
  cudaFree(data); // expected-path {{others are freed here}}
  return true;
}

bool early_return_freed(int n) {
  float *data;
  cudaMalloc((void **)&data, n * sizeof(float));
  if (!ready()) {
    cudaFree(data);
    return false;
  }
  cudaFree(data);
  return true;
}

// The way out of a failed allocation has nothing to free of its own, and has what
// came before it.
cudaError_t second_fails(int n) {
  float *first, *second;
  cudaError_t error = cudaMalloc(&first, n); // expected-warning {{'first'}} [tensor-unfreed-device-memory]
  if (error != cudaSuccess)
    return error;
  error = cudaMalloc(&second, n);
  if (error != cudaSuccess)
    return error; // expected-path {{this way out leaves it behind}}
  cudaFree(first); // expected-path {{others are freed here}}
  cudaFree(second);
  return cudaSuccess;
}

cudaError_t second_fails_freed(int n) {
  float *first = nullptr, *second = nullptr;
  cudaError_t error = cudaMalloc(&first, n);
  if (error != cudaSuccess)
    goto done;
  error = cudaMalloc(&second, n);
  if (cudaSuccess != error)
    goto done;
  kernel<<<1, 32>>>(first, n);
done:
  cudaFree(first);
  cudaFree(second);
  return error;
}

#define RETURN_ON_ERROR(call)                                                                      \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess)                                                                     \
      return -1;                                                                                   \
  } while (0)

int returning_macro(float *host, int n) {
  float *a, *b;
  RETURN_ON_ERROR(cudaMalloc(&a, n)); // expected-warning {{'a'}} [tensor-unfreed-device-memory]
  RETURN_ON_ERROR(cudaMalloc(&b, n)); // expected-note {{'b'}} [tensor-unfreed-device-memory] expected-path {{this way out leaves it behind}}
  RETURN_ON_ERROR(cudaMemcpy(a, host, n, cudaMemcpyHostToDevice)); // expected-path {{this way out leaves it behind}}
  RETURN_ON_ERROR(cudaFree(a));
  cudaFree(b); // expected-path {{others are freed here}}
  return 0;
}

#define EXIT_ON_ERROR(call)                                                                        \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(status));                                    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

inline void gpu_assert(cudaError_t code, const char *file, int line, bool stop = true) {
  if (code != cudaSuccess) {
    cudaDeviceReset();
    if (stop)
      exit(code);
  }
}
#define CHECKED(call) gpu_assert((call), __FILE__, __LINE__)

int exiting_macros(float *host, int n) {
  float *a, *b;
  EXIT_ON_ERROR(cudaMalloc(&a, n));
  CHECKED(cudaMalloc(&b, n));
  EXIT_ON_ERROR(cudaMemcpy(a, host, n, cudaMemcpyHostToDevice));
  CHECKED(cudaFree(a));
  CHECKED(cudaFree(b));
  return 0;
}

void exiting_macro_forgets(int n) {
  float *a;
  CHECKED(cudaMalloc(&a, n)); // expected-warning {{'a'}} [tensor-unfreed-device-memory]
} // expected-fix {{cudaFree(a);}}

// The macro evaluates its argument once more, where the call has failed.
#define REPORT_ERROR(call)                                                                         \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      std::printf("%s (%d)\n", cudaGetErrorString(call), call);                                    \
  } while (0)
#define RETURN_REPORT(call)                                                                        \
  {                                                                                                \
    cudaError_t status = call;                                                                     \
    if (status != cudaSuccess) {                                                                   \
      std::printf("%s\n", cudaGetErrorString(call));                                               \
      return false;                                                                                \
    }                                                                                              \
  }

bool evaluated_again(int n) {
  float *a, *b;
  REPORT_ERROR(cudaMalloc(&a, n)); // expected-warning {{every way out}} [tensor-unfreed-device-memory]
  RETURN_REPORT(cudaMalloc(&b, n)); // b's failure loses a expected-path {{this way out leaves it behind}}
  REPORT_ERROR(cudaFree(a));
  cudaFree(b); // expected-path {{others are freed here}}
  return true;
}

bool evaluated_again_forgets(int n) {
  float *a;
  REPORT_ERROR(cudaMalloc(&a, n)); // expected-warning {{'a' is not given back before}} [tensor-unfreed-device-memory]
  return true;
}

// Evaluated twice in any case.
#define TWICE(call)                                                                                \
  (call);                                                                                          \
  if ((call) != cudaSuccess)                                                                       \
  return

void evaluated_twice(int n) {
  float *a;
  TWICE(cudaMalloc(&a, n)); // expected-warning {{overwritten}} [tensor-unfreed-device-memory] expected-path {{it is overwritten here}}
  cudaFree(a);
}

void thrown(int n) {
  float *a;
  if (cudaMalloc(&a, n) != cudaSuccess) // expected-warning {{throws}} [tensor-unfreed-device-memory]
    throw std::runtime_error("no memory");
  if (!ready())
    throw std::runtime_error("not ready"); // expected-path {{this way out leaves it behind}}
  cudaFree(a); // expected-path {{others are freed here}}
}

void failed_call_throws(int n) {
  float *a, *b;
  if (cudaMalloc(&a, n) != cudaSuccess) // expected-note {{throws}} [tensor-unfreed-device-memory]
    throw std::runtime_error("no memory");
  if (cudaMalloc(&b, n) != cudaSuccess)
    throw std::runtime_error("no memory"); // expected-path {{this way out leaves it behind}}
  cudaFree(a); // expected-path {{others are freed here}}
  cudaFree(b);
}

void caught(int n) {
  float *a;
  if (cudaMalloc(&a, n) != cudaSuccess)
    throw std::runtime_error("no memory");
  try {
    if (!ready())
      throw std::runtime_error("not ready");
  } catch (...) {
  }
  cudaFree(a);
}

// Conditions that go together.
void under_the_same_condition(int coils, int n) {
  float *extra = nullptr;
  if (coils > 1)
    cudaMalloc(&extra, n);
  kernel<<<1, 32>>>(extra, n);
  if (coils > 1 && extra != nullptr)
    cudaFree(extra);
}

int leaves_under_the_opposite(bool use, int n) {
  float *extra = nullptr;
  if (use)
    cudaMalloc(&extra, n);
  if (!use)
    return 0;
  cudaFree(extra);
  return 1;
}

void only_sometimes(int coils, int n) {
  float *extra = nullptr, *always;
  cudaMalloc(&always, n);
  if (coils > 1)
    cudaMalloc(&extra, n); // expected-warning {{'extra'}} [tensor-unfreed-device-memory]
  kernel<<<1, 32>>>(extra, n);
  cudaFree(always); // expected-path {{others are freed here}}
}

bool check(cudaError_t status);
bool unknown_check(int n) {
  float *a;
  if (!check(cudaMalloc(&a, n)))
    return false;
  kernel<<<1, 32>>>(a, n);
  cudaFree(a);
  return true;
}

bool failure_in_a_flag(int n) {
  float *a;
  bool ok = cudaMalloc(&a, n) == cudaSuccess;
  if (!ok)
    return false;
  cudaFree(a);
  return true;
}

int null_test(int n) {
  float *a = nullptr;
  cudaMalloc(&a, n);
  if (!a)
    return 1;
  cudaFree(a);
  return 0;
}

// Both instances take the first branch.
template <typename Real> void by_type(int n) {
  Real *data;
  cudaMalloc(&data, n * sizeof(Real));
  if (typeid(Real) == typeid(float) || n < 4)
    cudaMemset(data, 0, n);
  else if (typeid(Real) == typeid(double))
    cudaMemset(data, 1, n);
  else
    throw std::runtime_error("type");
  cudaFree(data);
}
template <typename Real> void only_float(int n) {
  Real *data;
  cudaMalloc(&data, n * sizeof(Real)); // expected-warning {{when this function throws}} [tensor-unfreed-device-memory]
  if (!(typeid(Real) == typeid(float)))
    throw std::runtime_error("type"); // expected-path {{this way out leaves it behind}}
  cudaFree(data); // expected-path {{others are freed here}}
}
void instances(int n) {
  by_type<double>(n);
  only_float<double>(n);
}
