// Handles that are integers, in containers; handles in memory of their own.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <map>
#include <memory>
#include <vector>

void many_plans(int n) {
  std::vector<cufftHandle> plans;
  for (int i = 1; i < n; ++i) {
    cufftHandle plan;
    cufftPlan1d(&plan, i, CUFFT_C2C, 1); // expected-warning {{a cuFFT plan in 'plans[]'}} [tensor-unfreed-device-memory]
    plans.push_back(plan);
  }
}

void many_plans_destroyed(int n) {
  std::vector<cufftHandle> plans;
  for (int i = 1; i < n; ++i) {
    cufftHandle plan;
    cufftPlan1d(&plan, i, CUFFT_C2C, 1);
    plans.push_back(plan);
  }
  for (cufftHandle plan : plans)
    cufftDestroy(plan);
}

class Plans {
public:
  ~Plans() {
    for (auto &entry : plans)
      cufftDestroy(entry.second);
  }
  void add(int n) {
    if (plans.size() == 16)
      plans.erase(plans.begin()); // expected-warning {{a cuFFT plan in 'plans' is lost here}} [tensor-unfreed-device-memory]
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1); // expected-path {{'plans' gets it here}}
    plans[n] = plan;
  }
  void replace(int n) {
    cufftDestroy(plans.begin()->second);
    plans.erase(plans.begin());
  }

private:
  std::map<int, cufftHandle> plans;
};

// What is found by an iterator, and taken out by it.
struct Block {
  void *data;
  bool used;
};
class Pool {
public:
  ~Pool() {
    for (Block &each : blocks)
      cudaFree(each.data);
  }
  void add(size_t bytes) {
    Block block{nullptr, false};
    cudaMalloc(&block.data, bytes); // expected-path {{'blocks.data' gets it here}}
    blocks.push_back(block);
  }
  void trim() {
    for (auto it = blocks.begin(); it != blocks.end();)
      if (it->used)
        ++it;
      else
        it = blocks.erase(it); // expected-warning {{in 'blocks.data' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<Block> blocks;
};

class PoolFreed {
public:
  ~PoolFreed() {
    for (Block &each : blocks)
      cudaFree(each.data);
  }
  void add(size_t bytes) {
    Block block{nullptr, false};
    cudaMalloc(&block.data, bytes);
    blocks.push_back(block);
  }
  void trim() {
    for (auto it = blocks.begin(); it != blocks.end();)
      if (it->used) {
        ++it;
      } else {
        cudaFree(it->data);
        it = blocks.erase(it);
      }
  }

private:
  std::vector<Block> blocks;
};

//===-- Behind an owner ---------------------------------------------------===//

class Handles {
public:
  ~Handles() { cublasDestroy(*blas); } // expected-path {{'~Handles' is here}}
  void open() {
    blas.reset(new cublasHandle_t);
    cublasCreate(blas.get());
    math.reset(new cublasHandle_t);
    cublasCreate(math.get()); // expected-warning {{is never given back; '~Handles' frees 'blas' and forgets it}} [tensor-unfreed-device-memory]
  }

private:
  std::unique_ptr<cublasHandle_t> blas, math;
};
