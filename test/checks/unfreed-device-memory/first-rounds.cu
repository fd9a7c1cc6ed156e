// What one call has taken is lost where another takes the next into the same place: the first round
// of a loop loses what was taken before it, and a loop that asks until it is had loses nothing.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <vector>

//===-- What was taken before a loop ------------------------------------------===//

void warmed_up(size_t bytes) {
  float *ptr;
  cudaMalloc(&ptr, bytes); // expected-warning {{overwritten before it is given back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 100; i++) {
    cudaMalloc(&ptr, bytes); // expected-path {{it is overwritten here}}
    cudaFree(ptr);
  }
}

void warmed_up_for_two(size_t bytes, int n) {
  float *ptr;
  cudaMalloc(&ptr, bytes); // expected-warning {{overwritten before it is given back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < n; i++) {
    cudaMalloc(&ptr, bytes); // expected-path {{it is overwritten here}}
    cudaFree(ptr);
  }
  cudaMalloc(&ptr, bytes);
  cudaFree(ptr);
  for (int i = 0; i < n; i++) {
    cudaMalloc(&ptr, bytes);
    cudaFree(ptr);
  }
}

void around_another_loop(size_t bytes, const std::vector<int> &parts) {
  float *ptr;
  for (int i = 0; i < 10; i++) {
    cudaMalloc(&ptr, bytes); // expected-warning {{taken anew in each round}} [tensor-unfreed-device-memory]
    for (int part : parts) {
      if (cudaMalloc(&ptr, part) != cudaSuccess) // expected-path {{it is overwritten here}}
        return;
      cudaFree(ptr);
    }
  }
}

//===-- Near misses ---------------------------------------------------------===//

void freed_in_the_round(size_t bytes, int n) {
  float *ptr;
  cudaMalloc(&ptr, bytes);
  for (int i = 0; i < n; i++) {
    cudaFree(ptr);
    cudaMalloc(&ptr, bytes);
  }
  cudaFree(ptr);
}

void used_in_the_first_round(size_t bytes, int n) {
  float *ptr;
  cudaMalloc(&ptr, bytes);
  for (int i = 0; i < n; i++) {
    if (i > 0)
      cudaMalloc(&ptr, bytes);
    cudaFree(ptr);
  }
}

void freed_in_the_first_round(size_t bytes, int n) {
  float *ptr;
  cudaMalloc(&ptr, bytes);
  for (int i = 0; i < n; i++) {
    if (i == 0)
      cudaFree(ptr);
    cudaMalloc(&ptr, bytes);
    cudaFree(ptr);
  }
}

void taken_where_there_is_no_round(size_t bytes, int n) {
  float *ptr = nullptr;
  if (n == 0)
    cudaMalloc(&ptr, bytes);
  for (int i = 0; i < n; i++) {
    cudaMalloc(&ptr, bytes);
    cudaFree(ptr);
  }
  if (n == 0)
    cudaFree(ptr);
}

void has_another_name(size_t bytes, int n) {
  float *ptr, *first;
  cudaMalloc(&ptr, bytes);
  first = ptr;
  for (int i = 0; i < n; i++) {
    cudaMalloc(&ptr, bytes);
    cudaFree(ptr);
  }
  cudaFree(first);
}

//===-- Asked for again until it is had ------------------------------------------===//

void asked_until_had(size_t bytes) {
  float *ptr;
  cudaError_t error = cudaMalloc(&ptr, bytes);
  while (error != cudaSuccess) {
    bytes /= 2;
    error = cudaMalloc(&ptr, bytes);
  }
  cudaFree(ptr);
}

void asked_three_times(size_t bytes) {
  float *ptr;
  cudaError_t error = cudaMalloc(&ptr, bytes);
  for (int i = 0; i < 3 && error != cudaSuccess; i++) {
    bytes /= 2;
    error = cudaMalloc(&ptr, bytes);
  }
  cudaFree(ptr);
}

bool left_when_had(size_t bytes) {
  float *ptr;
  cudaError_t error = cudaErrorMemoryAllocation;
  for (int i = 0; i < 3; i++) {
    if (error == cudaSuccess)
      break;
    error = cudaMalloc(&ptr, bytes);
  }
  if (error != cudaSuccess)
    return false;
  cudaFree(ptr);
  return true;
}

// The test is of what another call said.
void asked_of_another_call(size_t bytes) {
  float *ptr;
  cudaError_t error = cudaErrorMemoryAllocation;
  while (error != cudaSuccess) {
    cudaMalloc(&ptr, bytes); // expected-warning {{taken anew in each round}} [tensor-unfreed-device-memory]
    error = cudaDeviceSynchronize();
  }
  cudaFree(ptr);
}

void asked_the_wrong_way(size_t bytes) {
  float *ptr;
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 3 && error == cudaSuccess; i++)
    error = cudaMalloc(&ptr, bytes); // expected-warning {{taken anew in each round}} [tensor-unfreed-device-memory]
  cudaFree(ptr);
}
