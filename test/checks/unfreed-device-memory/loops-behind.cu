// Loops behind the one that gives all back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

void used(int);

void then_another_loop(int count, int rounds) {
  float *all[64];
  for (int i = 0; i < count; ++i)
    cudaMalloc(&all[i], 1024);
  for (int i = 0; i < count; ++i)
    cudaFree(all[i]);
  for (int i = 0; i < rounds; ++i)
    used(i);
}

void then_two(int count, int rounds) {
  float *all[64];
  for (int i = 0; i < count; ++i)
    cudaMalloc(&all[i], 1024);
  if (rounds > 4) {
    for (int i = 0; i < count; ++i)
      cudaFree(all[i]);
  } else {
    for (int i = 0; i < count; ++i)
      cudaFree(all[i]);
  }
  for (int i = 0; i < rounds; ++i)
    used(i);
  for (int i = 0; i < rounds; ++i)
    used(count);
}

void then_two_on_one_way(int count, int rounds) {
  float *all[64];
  for (int i = 0; i < count; ++i)
    cudaMalloc(&all[i], 1024); // expected-warning {{is not given back on every way out}} [tensor-unfreed-device-memory] expected-path {{'all[]' gets 1 KiB of device memory here}}
  if (rounds > 4)
    for (int i = 0; i < count; ++i)
      cudaFree(all[i]); // expected-path {{others are freed here}}
  for (int i = 0; i < rounds; ++i)
    used(i);
  for (int i = 0; i < rounds; ++i)
    used(count);
} // expected-path {{this way out leaves it behind}}
