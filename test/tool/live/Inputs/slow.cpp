// Keeps 4 KiB of each round, and takes three seconds.
#include "tensorleak/tensorleak.h"
#include <c10/core/CPUAllocator.h>

#include <cstdio>
#include <unistd.h>
#include <vector>

std::vector<c10::DataPtr> Kept;

static void work() {
  c10::DataPtr Temporary = c10::GetCPUAllocator()->allocate(1 << 20);
  Kept.push_back(c10::GetCPUAllocator()->allocate(4096));
}

int main() {
  for (int I = 0; I < 150; ++I) {
    work();
    tensorleak_step();
    usleep(20000);
    if (I % 30 == 0)
      std::printf("line %d of the program\n", I), std::fflush(stdout);
  }
}
