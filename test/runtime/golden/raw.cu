// The program without LibTorch whose recorded traces are here. 4 KiB of every other step
// stay allocated in mode "leak".
#include "tensorleak/tensorleak.h"

#include <cstdio>
#include <cstring>

int main(int, char **Arguments) {
  bool Leaks = !std::strcmp(Arguments[1], "leak");
  for (int I = 0; I < 80; ++I) {
    void *Data = nullptr, *Pinned = nullptr;
    cudaMalloc(&Data, 4096); // LINE malloc
    cudaMallocHost(&Pinned, 1000);
    cudaMemset(Data, 0, 4096);
    if (!Leaks || I % 2)
      cudaFree(Data);
    cudaFreeHost(Pinned);
    tensorleak_step();
  }
  std::puts("done");
  return 0;
}
