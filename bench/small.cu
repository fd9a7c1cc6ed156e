// What a file of CUDA with its template libraries costs: see bench/run.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

float total(const float *Host, int Count) {
  float *Device = nullptr;
  if (cudaMalloc(&Device, Count * sizeof(float)) != cudaSuccess)
    return 0;
  cudaMemcpy(Device, Host, Count * sizeof(float), cudaMemcpyHostToDevice);
  thrust::device_vector<float> Sorted(Device, Device + Count);
  thrust::sort(Sorted.begin(), Sorted.end());
  cudaFree(Device);
  return thrust::reduce(Sorted.begin(), Sorted.end());
}

void *scratchOf(const float *In, float *Out, int Count) {
  void *Scratch = nullptr;
  size_t Bytes = 0;
  cub::DeviceReduce::Sum(Scratch, Bytes, In, Out, Count);
  return cudaMalloc(&Scratch, Bytes) == cudaSuccess ? Scratch : nullptr;
}
