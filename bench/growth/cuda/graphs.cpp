// A graph is instantiated anew in each step.
#include "cuda.h"

int main() {
  void *Graph = nullptr;
  cudaGraphCreate(&Graph, 0);
  for (int I = 0; I < 100; ++I) {
    void *Exec = nullptr;
    cudaGraphInstantiate(&Exec, Graph, 0); // LEAK count=1 holder=-
#if !LEAK
    cudaGraphExecDestroy(Exec);
#endif
  }
  cudaGraphDestroy(Graph);
}
