// Variables that outlive the functions, and are freed by others.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

__global__ void kernel(float *data, int n) {}

static float *replaced;
void replace(int n) {
  cudaFree(replaced);
  cudaMalloc(&replaced, n);
}

static float *opened;
void open(int n) { cudaMalloc(&opened, n); }
void close() { cudaFree(opened); }

// Filled by a function that main calls, and freed by main itself.
static float *input, *output;
void set_up(int n) {
  cudaMalloc(&input, n);
  cudaMalloc(&output, n);
}
int main() {
  set_up(1024);
  kernel<<<1, 1>>>(input, 1024);
  cudaFree(input);
  cudaFree(output);
  return 0;
}
