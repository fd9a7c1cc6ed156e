// slow [ROUNDS]: keeps 4 KiB of each round, fifty of them in a second.
#include "tensorleak/tensorleak.h"
#include <c10/core/CPUAllocator.h>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

std::vector<c10::DataPtr> Kept;

static void work() {
  c10::DataPtr Temporary = c10::GetCPUAllocator()->allocate(1 << 20);
  Kept.push_back(c10::GetCPUAllocator()->allocate(4096));
}

int main(int Count, char **Arguments) {
  int Rounds = Count > 1 ? std::atoi(Arguments[1]) : 150;
  for (int I = 0; I < Rounds; ++I) {
    work();
    tensorleak_step();
    usleep(20000);
    if (I % 30 == 0)
      std::printf("line %d of the program\n", I), std::fflush(stdout);
  }
}
