// Releases, in a macro and alone; cudaFree(0) releases nothing.
#include <cuda_runtime.h>

#define CHECKED(call)                                                                              \
  if ((call) != cudaSuccess)                                                                       \
  return 1

int run(int n) {
  cudaFree(0);
  float *data;
  CHECKED(cudaMalloc(&data, n * sizeof(float)));
  CHECKED(cudaFree(data));
  return 0;
}
