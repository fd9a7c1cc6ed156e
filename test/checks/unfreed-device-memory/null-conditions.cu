// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Whether a pointer was null when the function began is a condition like any other. What a pointer
// is after that may say whether something was taken.
#include <cuda_runtime.h>

//===-- It says nothing of what is taken here ------------------------------------------===//

void freed_beside(float *scratch) {
  float *own;
  cudaMalloc(&own, 1 << 20); // expected-warning {{1 MiB of device memory in 'own' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (scratch)
    cudaFree(own); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

class Renderer {
public:
  ~Renderer() {
    if (exec_)
      cudaGraphExecDestroy(exec_);
  }
  // The graph of a frame that could be updated is forgotten.
  void render() {
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0); // expected-warning {{a graph in 'graph' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (exec_ == nullptr) {
      instantiate(graph);
    } else {
      cudaGraphExecUpdateResultInfo info{};
      if (cudaGraphExecUpdate(exec_, graph, &info) == cudaSuccess) {
        ++updates_;
      } else {
        cudaGraphExecDestroy(exec_);
        instantiate(graph); // expected-path {{others are freed here}}
      }
    }
  } // expected-path {{this way out leaves it behind}}
  void render_and_destroy() {
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0);
    if (exec_ == nullptr) {
      cudaGraphInstantiate(&exec_, graph, 0);
    } else {
      cudaGraphExecUpdateResultInfo info{};
      if (cudaGraphExecUpdate(exec_, graph, &info) == cudaSuccess)
        ++updates_;
    }
    cudaGraphDestroy(graph);
  }

private:
  void instantiate(cudaGraph_t graph) {
    cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
  }
  int updates_ = 0;
  cudaGraphExec_t exec_ = nullptr;
};

void draw(Renderer &renderer) {
  for (int i = 0; i < 100; ++i) {
    renderer.render();
    renderer.render_and_destroy();
  }
}

//===-- It says whether it was taken ---------------------------------------------------===//

void own_or_given(float *given) {
  float *work = given;
  if (work == nullptr)
    cudaMalloc(&work, 1 << 20);
  cudaMemset(work, 0, 1 << 20);
  if (given == nullptr)
    cudaFree(work);
}

float *borrowed();

void by_another_pointer() {
  float *own = nullptr;
  float *shared = borrowed();
  if (!shared)
    cudaMalloc(&own, 1 << 20);
  if (own)
    cudaFree(own);
}
