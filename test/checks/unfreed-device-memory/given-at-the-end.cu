// A member that the function which fills it gives back at its end, and another that only the way
// out of an error gives back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

struct Decoder {
  float *first, *second, *third;
  cudaStream_t stream;
  int rounds;
};

void create(Decoder &d) {
  cudaMalloc(&d.first, 10);
  cudaMalloc(&d.second, 10);
  cudaMalloc(&d.third, 10);
}
void destroy(Decoder &d) {
  cudaFree(d.first);
  cudaFree(d.second);
  cudaFree(d.third);
}
bool decode(Decoder &d) { return cudaMemsetAsync(d.first, 0, 10, d.stream) == cudaSuccess; }

int decode_all(Decoder &d) {
  cudaStreamCreate(&d.stream);
  for (int i = 0; i < d.rounds; ++i) {
    if (!decode(d))
      return 1;
  }
  cudaStreamDestroy(d.stream);
  return 0;
}

int run(Decoder &d) {
  create(d);
  if (decode_all(d))
    return 1;
  destroy(d);
  return 0;
}

struct Keeper {
  float *first, *second, *third;
  cudaStream_t stream;
};

void createKeeper(Keeper &k) {
  cudaMalloc(&k.first, 10);
  cudaMalloc(&k.second, 10);
  cudaMalloc(&k.third, 10);
}
void destroyKeeper(Keeper &k) { // expected-path {{'destroyKeeper' is here}}
  cudaFree(k.first);
  cudaFree(k.second);
  cudaFree(k.third);
}

bool start(Keeper &k) {
  cudaStreamCreate(&k.stream); // expected-warning {{a stream in 'k.stream' is never given back; 'destroyKeeper' frees 'first', 'second' and others and forgets it}} [tensor-unfreed-device-memory]
  if (cudaMemsetAsync(k.first, 0, 10, k.stream) != cudaSuccess) {
    cudaStreamDestroy(k.stream);
    return false;
  }
  return true;
}

int runKeeper(Keeper &k) {
  createKeeper(k);
  const bool isStarted = start(k);
  destroyKeeper(k);
  return isStarted;
}
