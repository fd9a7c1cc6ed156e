// A helper takes another one without a question: its callers ask. Where one of them has found the
// old one and comes to the helper all the same, that is lost.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

static bool can_update(cudaGraphExec_t exec, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo info;
  return cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess;
}

class Runner {
public:
  ~Runner() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void step(cudaGraph_t graph) {
    if (!exec)
      instantiate(graph);
    else if (!can_update(exec, graph))
      instantiate(graph); // expected-warning {{an executable graph in 'exec' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
  }

private:
  void instantiate(cudaGraph_t graph) {
    cudaGraphInstantiate(&exec, graph, 0); // expected-path {{it is allocated here}}
  }
  cudaGraphExec_t exec = nullptr;
};

class AsksOnce {
public:
  ~AsksOnce() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void step(cudaGraph_t graph) {
    if (!exec)
      instantiate(graph);
  }

private:
  void instantiate(cudaGraph_t graph) { cudaGraphInstantiate(&exec, graph, 0); }
  cudaGraphExec_t exec = nullptr;
};

class DestroysFirst {
public:
  ~DestroysFirst() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void step(cudaGraph_t graph) {
    if (!exec) {
      instantiate(graph);
    } else if (!can_update(exec, graph)) {
      cudaGraphExecDestroy(exec);
      instantiate(graph);
    }
  }

private:
  void instantiate(cudaGraph_t graph) { cudaGraphInstantiate(&exec, graph, 0); }
  cudaGraphExec_t exec = nullptr;
};

class HelperDestroys {
public:
  ~HelperDestroys() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void step(cudaGraph_t graph) {
    if (!exec)
      instantiate(graph);
    else if (!can_update(exec, graph))
      instantiate(graph);
  }

private:
  void instantiate(cudaGraph_t graph) {
    if (exec)
      cudaGraphExecDestroy(exec);
    cudaGraphInstantiate(&exec, graph, 0);
  }
  cudaGraphExec_t exec = nullptr;
};

class TestDestroys {
public:
  ~TestDestroys() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void step(cudaGraph_t graph) {
    if (!exec)
      instantiate(graph);
    else if (!update(graph))
      instantiate(graph);
  }

private:
  bool update(cudaGraph_t graph) {
    if (can_update(exec, graph))
      return true;
    cudaGraphExecDestroy(exec);
    return false;
  }
  void instantiate(cudaGraph_t graph) { cudaGraphInstantiate(&exec, graph, 0); }
  cudaGraphExec_t exec = nullptr;
};

class UnseenTest {
public:
  ~UnseenTest() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void step(cudaGraph_t graph) {
    if (!exec)
      instantiate(graph);
    else if (!update(graph))
      instantiate(graph);
  }

private:
  bool update(cudaGraph_t graph);
  void instantiate(cudaGraph_t graph) { cudaGraphInstantiate(&exec, graph, 0); }
  cudaGraphExec_t exec = nullptr;
};

class KeepsTheOld {
public:
  ~KeepsTheOld() {
    if (exec)
      cudaGraphExecDestroy(exec);
    for (cudaGraphExec_t each : old)
      cudaGraphExecDestroy(each);
  }
  void step(cudaGraph_t graph) {
    if (!exec) {
      instantiate(graph);
    } else if (!can_update(exec, graph)) {
      old.push_back(exec);
      instantiate(graph);
    }
  }

private:
  void instantiate(cudaGraph_t graph) { cudaGraphInstantiate(&exec, graph, 0); }
  cudaGraphExec_t exec = nullptr;
  std::vector<cudaGraphExec_t> old;
};
