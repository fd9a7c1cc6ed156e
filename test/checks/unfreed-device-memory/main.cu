// In main, what is there at the end is a note: the program ends with it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

__global__ void kernel(float *data, int n) {}

float *global_buffer, *freed_buffer;

int main(int argc, char **argv) {
  float *a, *b;
  cudaMalloc(&a, 1024); // expected-note {{every way out}} [tensor-unfreed-device-memory]
  cudaMalloc(&b, 1024); // expected-note {{program ends}} [tensor-unfreed-device-memory]
  cudaMalloc(&global_buffer, 1024); // expected-note {{global_buffer}} [tensor-unfreed-device-memory]
  cudaMalloc(&freed_buffer, 1024);
  if (argc > 1)
    return 1; // expected-path {{this way out leaves it behind}}
  for (int i = 0; i < 10; ++i) {
    float *c; // expected-path {{it is overwritten here}}
    cudaMalloc(&c, 1024); // expected-warning {{'c'}} [tensor-unfreed-device-memory]
    kernel<<<1, 32>>>(c, 256);
  }
  cudaFree(a); // expected-path {{others are freed here}}
  cudaFree(freed_buffer);
  return 0;
}
