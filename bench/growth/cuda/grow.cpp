// A buffer that is replaced by a larger one; the smaller one is lost.
#include "cuda.h"

struct Buffer {
  void *Data = nullptr;
  size_t Size = 0;
  void reserve(size_t N) {
    if (N <= Size)
      return;
#if !LEAK
    cudaFree(Data);
#endif
    cudaMalloc(&Data, N); // LEAK holder=-
    Size = N;
  }
};

int main() {
  Buffer B;
  for (int I = 1; I <= 100; ++I)
    B.reserve(1024 * I);
  cudaFree(B.Data);
}
