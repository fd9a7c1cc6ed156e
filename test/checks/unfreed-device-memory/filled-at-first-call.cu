// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A getter that fills a global at its first call gives the same memory each time; one that fills it
// at each call does not.
#include <cuda_runtime.h>

__global__ void synthesize(const float *table);

//===-- Filled once -----------------------------------------------------------------===//

static float *sines = nullptr;

static const float *sine_table() {
  if (sines)
    return sines;
  float *made = nullptr;
  if (cudaMalloc(&made, 1 << 20) != cudaSuccess)
    return nullptr;
  sines = made;
  return sines;
}

static float *cosines = nullptr;

static const float *cosine_table() {
  if (cosines != nullptr)
    return cosines;
  float *made = nullptr;
  cudaMalloc(&made, 1 << 20);
  cosines = made;
  return made;
}

void play(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const float *sine = sine_table();
    const float *cosine = cosine_table();
    synthesize<<<1, 256>>>(sine);
    synthesize<<<1, 256>>>(cosine);
  }
}

//===-- Filled each time --------------------------------------------------------------===//

static float *noise = nullptr;
static bool enabled = false;

void enable(bool on) { enabled = on; }

static const float *noise_table() {
  if (!enabled)
    return nullptr;
  float *made = nullptr;
  cudaMalloc(&made, 1 << 20); // expected-path {{it is allocated here}}
  noise = made;
  return noise;
}

void hiss(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const float *table = noise_table(); // expected-warning {{1 MiB of device memory in 'table' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory] expected-path {{it is overwritten here}}
    synthesize<<<1, 256>>>(table);
  }
}

//===-- Filled again when more is asked for -------------------------------------------===//

static float *window = nullptr;
static int held = 0;

static const float *window_of(int n) {
  if (n <= held)
    return window;
  float *made = nullptr;
  cudaMalloc(&made, n * sizeof(float)); // expected-warning {{device memory in 'window' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
  window = made;
  held = n;
  return window;
}

void analyze(int rounds) {
  for (int i = 0; i < rounds; ++i)
    synthesize<<<1, 256>>>(window_of(i * 256));
}

void release_tables() {
  cudaFree((void *)sines);
  sines = nullptr;
  cudaFree((void *)cosines);
  cosines = nullptr;
  cudaFree(noise);
  noise = nullptr;
  cudaFree(window);
  window = nullptr;
  held = 0;
}
