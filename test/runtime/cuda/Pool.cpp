// A program on the fake caching allocator: live memory that grows, or holes between it.
#include "tensorleak/tensorleak.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
void *fakeAllocate(size_t);
void fakeFree(void *);
}

int main(int, char **Arguments) {
  bool Leaks = !std::strcmp(Arguments[1], "leak");
  std::vector<void *> Kept;
  for (int I = 0; I < 64; ++I) {
    if (Leaks) {
      Kept.push_back(fakeAllocate(64 << 10));
    } else { // every step needs a little more than any hole that the steps before left
      void *Large = fakeAllocate(size_t(128 + 8 * I) << 10);
      Kept.push_back(fakeAllocate(4 << 10));
      fakeFree(Large);
    }
    tensorleak_step();
  }
  if (!Leaks && !fakeAllocate(5 << 20))
    std::puts("no memory");
  std::puts("done");
  for (void *Data : Kept)
    fakeFree(Data);
  return 0;
}
