// Pointers in a list that only grows.
#include "cuda.h"
#include <vector>

struct Pool {
  std::vector<void *> Blocks;
  void *take(size_t N) {
    void *P = nullptr;
    cudaMalloc(&P, N); // LEAK bytes=4096 holder=-
    Blocks.push_back(P);
    return P;
  }
  void release() {
    for (void *P : Blocks)
      cudaFree(P);
    Blocks.clear();
  }
};

int main() {
  Pool ThePool;
  for (int I = 0; I < 120; ++I) {
    ThePool.take(4096);
#if !LEAK
    if (I % 10 == 9)
      ThePool.release();
#endif
  }
}
