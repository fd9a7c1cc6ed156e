// Pointers that become numbers, and elements that hold nothing yet.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdint>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

enum Tag : uintptr_t { OfDevice = 0, Pinned = 1, Mask = 3 };

uintptr_t pack(void *p, Tag tag) { return reinterpret_cast<uintptr_t>(p) | tag; }

uintptr_t tagged(size_t n) {
  void *p = nullptr;
  return cudaMalloc(&p, n) == cudaSuccess ? pack(p, OfDevice) : 0;
}

uintptr_t taggedHere(size_t n) {
  void *p = nullptr;
  cudaMallocHost(&p, n);
  return uintptr_t(Pinned) ^ (uintptr_t)p;
}

/// A number that says something about the pointer does not have it.
bool isAligned(size_t n) {
  void *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back}} [tensor-unfreed-device-memory]
  return (reinterpret_cast<uintptr_t>(p) & 255) == 0;
}

//===-- Room is made first ----------------------------------------------------===//

class Session {
public:
  ~Session() {
    for (float *p : garbage)
      cudaFree(p);
  }
  float *temporary(size_t n) {
    garbage.push_back(nullptr);
    float *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess) { // expected-path {{gets it here}}
      garbage.pop_back();
      return nullptr;
    }
    return garbage.back() = p;
  }
  void add(size_t n) {
    float *p = nullptr;
    cudaMalloc(&p, n); // expected-path {{gets it here}}
    garbage.push_back(p);
  }
  void forgetLast() {
    garbage.pop_back(); // expected-note {{device memory in 'garbage' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<float *> garbage;
};

//===-- Owners that a callback takes over -----------------------------------------===//

struct Job {
  ~Job() { cudaFree(data); }
  float *data = nullptr;
  Job *next = nullptr;
};
Job *done = nullptr;

void CUDART_CB finished(cudaStream_t, cudaError_t, void *user) {
  Job *job = static_cast<Job *>(user);
  job->next = done;
  done = job;
}

void submit(cudaStream_t stream) {
  auto job = std::make_unique<Job>();
  cudaMalloc(&job->data, 4096);
  if (cudaStreamAddCallback(stream, finished, job.get(), 0) == cudaSuccess)
    job.release();
}

void onlyQueried(cudaStream_t stream) {
  auto job = std::make_unique<Job>();
  cudaMalloc(&job->data, 4096);
  cudaPointerAttributes about;
  if (cudaPointerGetAttributes(&about, job.get()) == cudaSuccess)
    job.release(); // expected-warning {{is dropped, so that nothing can give it back}} [tensor-unfreed-device-memory]
}

//===-- Elements that other things are made of ---------------------------------------===//

struct Table {
  cudaArray_t data;
  float weight;
};

class Tables {
public:
  ~Tables() {
    for (Table &t : all)
      cudaFreeArray(t.data);
  }
  void add(const cudaChannelFormatDesc &format) {
    Table t{nullptr, 1};
    cudaMallocArray(&t.data, &format, 64, 64); // expected-path {{gets it here}}
    all.push_back(t);
  }
  void renderAndForget() {
    for (Table &t : all) {
      cudaResourceDesc resource{};
      resource.res.array.array = t.data;
      cudaTextureDesc how{};
      cudaTextureObject_t texture = 0;
      cudaCreateTextureObject(&texture, &resource, &how, nullptr);
      cudaDestroyTextureObject(texture); // its own: the arrays are not given back by that
    }
    all.clear(); // expected-warning {{a CUDA array in 'all.data' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<Table> all;
};
