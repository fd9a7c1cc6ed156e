// exit() in main is like a return: what its loops lose is lost, what is there at the end is a
// note. In other functions it ends the program, with all that they hold. Loops without an end
// go on.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess) {                                                                   \
      std::puts("failed");                                                                         \
      std::exit(EXIT_FAILURE);                                                                     \
    }                                                                                              \
  } while (0)

static void helper(int n) {
  float *data;
  CHECK(cudaMalloc(&data, n));
  if (n > 1000) {
    std::puts("too many");
    exit(2);
  }
  CHECK(cudaFree(data));
}

// What it frees on the way to the end of the program, callers have still to free.
static void fail_unless(float *data, int n) {
  if (n < 0) {
    for (int i = 0; i < 3; ++i)
      std::puts("negative");
    cudaFree(data);
    exit(3);
  }
}

static void after_a_check(int n) {
  float *data;
  cudaMalloc(&data, 1024); // expected-warning {{'data' is not given back}} [tensor-unfreed-device-memory]
  fail_unless(data, n);
} // expected-fix {{cudaFree(data);}}

[[noreturn]] static void serve() {
  for (;;) {
    float *lost, *freed; // expected-path {{it is overwritten here}}
    cudaMalloc(&lost, 1024); // expected-warning {{'lost' is taken anew in each round}} [tensor-unfreed-device-memory]
    cudaMalloc(&freed, 1024);
    cudaFree(freed);
  }
}

static void work_and_end(int n) {
  for (int i = 0; i < n; ++i) {
    float *lost; // expected-path {{it is overwritten here}}
    cudaMalloc(&lost, 1024); // expected-warning {{'lost' is taken anew in each round}} [tensor-unfreed-device-memory]
  }
  float *kept;
  cudaMalloc(&kept, 1024);
  std::exit(0);
}

int main(int argc, char **argv) {
  if (argc > 3)
    serve();
  if (argc > 2)
    work_and_end(argc);
  float *kept, *freed;
  CHECK(cudaMalloc(&kept, 1024)); // expected-note {{program ends}} [tensor-unfreed-device-memory]
  CHECK(cudaMalloc(&freed, 1024));
  for (int i = 0; i < argc; ++i) {
    float *lost; // expected-path {{it is overwritten here}}
    CHECK(cudaMalloc(&lost, 1024)); // expected-warning {{'lost' is taken anew in each round}} [tensor-unfreed-device-memory]
    helper(i);
    after_a_check(i);
  }
  CHECK(cudaFree(freed)); // expected-path {{others are freed here}}
  exit(EXIT_SUCCESS);
}
