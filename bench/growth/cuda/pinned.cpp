// Staging memory of the host; an early way out forgets it.
#include "cuda.h"

static int copy(int Id) {
  char *Staging = nullptr;
  cudaMallocHost((void **)&Staging, 8192); // LEAK bytes=4096 holder=-
  if (Id % 2) {
#if !LEAK
    cudaFreeHost(Staging);
#endif
    return -1;
  }
  Staging[0] = 1;
  cudaFreeHost(Staging);
  return 0;
}

int main() {
  int Failed = 0;
  for (int I = 0; I < 160; ++I)
    Failed += copy(I) != 0;
  return Failed == 0;
}
