// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Fields of records whose ways are not followed, in a program that never does more with them than
// use them.
#include <cuda_runtime.h>
#include <variant>
#include <vector>

__global__ void run(float *data, int n);

//===-- Nobody gives the field back -------------------------------------------===//

struct Gain {
  float amount;
};
struct Reverb {
  float *impulse;
  int taps;
};
struct Delay {
  float *ring;
  int length;
};
using Effect = std::variant<Gain, Delay, Reverb>;

Effect makeReverb(int taps) {
  Reverb made{nullptr, taps};
  cudaMalloc(&made.impulse, taps); // expected-note {{device memory in 'impulse' is never given back: nothing in this file does more with 'Reverb::impulse' than use it}} [tensor-unfreed-device-memory]
  cudaMemset(made.impulse, 0, taps);
  return made;
}

Effect makeDelay(int length) {
  Delay made{nullptr, length};
  cudaMalloc(&made.ring, length);
  return made;
}

struct Dispose {
  void operator()(Delay &delay) const { cudaFree(delay.ring); }
  template <typename T> void operator()(T &) const {}
};

void apply(Effect &effect) {
  if (auto *reverb = std::get_if<Reverb>(&effect); reverb && reverb->impulse)
    run<<<1, 64>>>(reverb->impulse + 1, reverb->taps);
}

// Through a local variable, into what a callback gets.
struct Batch {
  float *samples;
  int count;
};
struct Freed {
  float *samples;
  int count;
};

void onBatch(void *user) {
  auto *batch = static_cast<Batch *>(user);
  batch->samples[0] += batch->count;
  delete batch;
}

void onFreed(void *user) {
  auto *batch = static_cast<Freed *>(user);
  cudaFreeHost(batch->samples);
  delete batch;
}

void sample(cudaStream_t stream, int n) {
  float *samples = nullptr;
  cudaMallocHost(&samples, n); // expected-note {{pinned host memory in 'samples' is never given back: nothing in this file does more with 'Batch::samples' than use it}} [tensor-unfreed-device-memory]
  cudaLaunchHostFunc(stream, onBatch, new Batch{samples, n});
}

//===-- Somebody does, or may ------------------------------------------------------===//

void sampleAndFree(cudaStream_t stream, int n) {
  float *samples = nullptr;
  cudaMallocHost(&samples, n);
  cudaLaunchHostFunc(stream, onFreed, new Freed{samples, n});
}

struct Kept {
  float *samples;
  int count;
};
std::vector<float *> all;

void onKept(void *user) { delete static_cast<Kept *>(user); }

void sampleAndKeep(cudaStream_t stream, int n) {
  float *samples = nullptr;
  cudaMallocHost(&samples, n);
  all.push_back(samples);
  cudaLaunchHostFunc(stream, onKept, new Kept{samples, n});
}

struct Bound {
  float *samples;
  int count;
};

void onBound(void *user) {
  auto &[samples, count] = *static_cast<Bound *>(user);
  cudaFreeHost(samples);
}

void sampleBound(cudaStream_t stream, int n) {
  float *samples = nullptr;
  cudaMallocHost(&samples, n);
  cudaLaunchHostFunc(stream, onBound, new Bound{samples, n});
}

struct Named {
  float *samples;
  int count;
};

template <typename T> void freeField(T &object, float *T::*field) { cudaFreeHost(object.*field); }

void onNamed(void *user) { freeField(*static_cast<Named *>(user), &Named::samples); }

void sampleNamed(cudaStream_t stream, int n) {
  float *samples = nullptr;
  cudaMallocHost(&samples, n);
  cudaLaunchHostFunc(stream, onNamed, new Named{samples, n});
}

// An owner takes it where it is initialized.
struct Loose {
  float *data;
  int count;
};

class Owner {
public:
  explicit Owner(const Loose &loose) : data_(loose.data) {}
  ~Owner() { cudaFree(data_); }

private:
  float *data_;
};

Loose makeLoose(int n) {
  Loose made{nullptr, n};
  cudaMalloc(&made.data, n);
  return made;
}

int main() {
  Owner owner(makeLoose(8));

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Effect effects[] = {makeReverb(8), makeDelay(8)};
  for (Effect &each : effects) {
    apply(each);
    std::visit(Dispose{}, each);
  }
  sample(stream, 8);
  sampleAndFree(stream, 8);
  sampleAndKeep(stream, 8);
  sampleBound(stream, 8);
  sampleNamed(stream, 8);
  for (float *each : all)
    cudaFreeHost(each);
  cudaStreamDestroy(stream);
  return 0;
}
