// A member that gets new memory also where a test has found that it holds the old.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

__global__ void step(float *data);

class Runner {
public:
  ~Runner() {
    if (exec)
      cudaGraphExecDestroy(exec);
    cudaFree(data);
  }
  void run(cudaGraph_t graph) {
    bool updated = false;
    step<<<blocks, 1>>>(data);
    if (exec != nullptr)
      updated = cudaGraphExecUpdate(exec, graph, nullptr, nullptr) == cudaSuccess;
    if (!updated)
      cudaGraphInstantiate(&exec, graph, 0); // expected-warning {{an executable graph in 'exec' replaces what it held before, which nothing gives back; call 'cudaGraphExecDestroy' first}} [tensor-unfreed-device-memory]
    cudaGraphLaunch(exec, 0);
  }
  void forced(int n, bool force) {
    if (data == nullptr || force)
      cudaMalloc(&data, n); // expected-warning {{in 'data' replaces what it held before}} [tensor-unfreed-device-memory]
  }
  void renew(cudaGraph_t graph) {
    if (exec == nullptr) {
      cudaGraphInstantiate(&exec, graph, 0);
    } else if (cudaGraphExecUpdate(exec, graph, nullptr, nullptr) != cudaSuccess) {
      cudaGetLastError();
      cudaGraphInstantiate(&exec, graph, 0); // expected-warning {{in 'exec' replaces what it held before}} [tensor-unfreed-device-memory]
    }
  }
private:
  cudaGraphExec_t exec = nullptr;
  float *data = nullptr;
  int blocks = 1;
};

// Behind a reference that keeps its value after the call.
void grow(float *&data, size_t &capacity, size_t wanted) {
  if (wanted <= capacity)
    return;
  float *larger = nullptr;
  cudaMalloc(&larger, wanted * sizeof(float)); // expected-warning {{in 'data' replaces what it held before}} [tensor-unfreed-device-memory]
  cudaMemcpy(larger, data, capacity * sizeof(float), cudaMemcpyDeviceToDevice);
  data = larger;
  capacity = wanted;
}

//===-- Near misses -------------------------------------------------------===//

class Careful {
public:
  ~Careful() {
    if (exec)
      cudaGraphExecDestroy(exec);
    cudaFree(data);
  }
  void run(cudaGraph_t graph) {
    bool updated = false;
    step<<<blocks, 1>>>(data);
    if (exec != nullptr)
      updated = cudaGraphExecUpdate(exec, graph, nullptr, nullptr) == cudaSuccess;
    if (!updated) {
      if (exec)
        cudaGraphExecDestroy(exec);
      cudaGraphInstantiate(&exec, graph, 0);
    }
  }
  void once(int n) {
    if (data == nullptr)
      cudaMalloc(&data, n);
  }
  void not_small(int n) {
    if (data)
      return;
    if (n > 5)
      cudaMalloc(&data, n);
  }
  void fitting(int n) {
    if (data && fits(n)) // which may have given it back
      return;
    cudaMalloc(&data, n);
  }
  void emptied(int n) {
    if (data && n > 5) {
      cudaFree(data);
      data = nullptr;
    }
    if (!data)
      cudaMalloc(&data, n);
  }
  void handed_on(int n) {
    if (data && fits(n))
      return;
    retire(data);
    cudaMalloc(&data, n);
  }
  bool fits(int n);
  static void retire(float *data);

  void renew(cudaGraph_t graph) {
    if (exec == nullptr) {
      cudaGraphInstantiate(&exec, graph, 0);
    } else if (cudaGraphExecUpdate(exec, graph, nullptr, nullptr) != cudaSuccess) {
      cudaGraphExecDestroy(exec);
      cudaGraphInstantiate(&exec, graph, 0);
    }
  }

private:
  cudaGraphExec_t exec = nullptr;
  float *data = nullptr;
  int blocks = 1;
};

void grow_carefully(float *&data, size_t &capacity, size_t wanted) {
  if (wanted <= capacity)
    return;
  cudaFree(data);
  cudaMalloc(&data, wanted * sizeof(float));
  capacity = wanted;
}
