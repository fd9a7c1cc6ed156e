// Two buffers change places; one of them is overwritten.
#include "cuda.h"
#include <utility>

int main() {
  void *Front = nullptr, *Back = nullptr;
  cudaMalloc(&Front, 2048);
  for (int I = 0; I < 120; ++I) {
    cudaMalloc(&Back, 2048); // LEAK bytes=2048 holder=-
    std::swap(Front, Back);
#if !LEAK
    cudaFree(Back);
#endif
    Back = nullptr;
  }
  cudaFree(Front);
}
