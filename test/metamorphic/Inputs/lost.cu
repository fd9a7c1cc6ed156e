// One release is missed at once where it is left out. The other is of memory that comes from
// elsewhere, and what elsewhere does with it is not known.
#include <cuda_runtime.h>

void work(int n) {
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  cudaFree(data);
}

void end(float *data) { cudaFree(data); }

void forgets(int n) {
  float *left;
  cudaMalloc(&left, n * sizeof(float));
}
