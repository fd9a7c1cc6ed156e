// A method that fills a member anew after each change, of which a flag tells.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class Replays {
public:
  ~Replays() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void set_alpha(float value) {
    alpha = value;
    dirty = true;
  }
  void step(cudaGraph_t graph, cudaStream_t stream) {
    if (dirty)
      instantiate(graph);
    cudaGraphLaunch(exec, stream);
  }

private:
  void instantiate(cudaGraph_t graph) {
    cudaGraphInstantiate(&exec, graph, 0); // expected-note {{in 'exec' is taken anew by each call of 'instantiate', and a second one for the same object loses the one before}} [tensor-unfreed-device-memory]
    dirty = false;
  }
  float alpha = 1;
  bool dirty = true;
  cudaGraphExec_t exec = nullptr;
};

// The same in one method, and the other way round.
class Fills {
public:
  ~Fills() { cudaFree(table); }
  void invalidate() { valid = false; }
  void use(int n) {
    if (!valid) {
      cudaMalloc(&table, n); // expected-note {{in 'table' is taken anew by each call of 'use'}} [tensor-unfreed-device-memory]
      valid = true;
    }
    cudaMemset(table, 0, n);
  }

private:
  bool valid = false;
  float *table = nullptr;
};

//===-- Near misses ---------------------------------------------------------===//

// Nothing sets the flag again.
class FillsOnce {
public:
  ~FillsOnce() { cudaFree(table); }
  void use(int n) {
    if (!valid) {
      cudaMalloc(&table, n);
      valid = true;
    }
    cudaMemset(table, 0, n);
  }

private:
  bool valid = false;
  float *table = nullptr;
};

// What sets it gives back what was there.
class Invalidates {
public:
  ~Invalidates() { cudaFree(table); }
  void invalidate() {
    cudaFree(table);
    table = nullptr;
    valid = false;
  }
  void use(int n) {
    if (!valid) {
      cudaMalloc(&table, n);
      valid = true;
    }
    cudaMemset(table, 0, n);
  }

private:
  bool valid = false;
  float *table = nullptr;
};

class Recaptures {
public:
  ~Recaptures() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void change() { dirty = true; }
  void step(cudaGraph_t graph, cudaStream_t stream) {
    if (dirty) {
      if (exec)
        cudaGraphExecDestroy(exec);
      instantiate(graph);
    }
    cudaGraphLaunch(exec, stream);
  }

private:
  void instantiate(cudaGraph_t graph) {
    cudaGraphInstantiate(&exec, graph, 0);
    dirty = false;
  }
  bool dirty = true;
  cudaGraphExec_t exec = nullptr;
};
