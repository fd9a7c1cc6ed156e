// A call on the second line of a statement, of which nvcc gives all code the first.
#include <cstdlib>

extern "C" int cudaStreamCreate(void **);
extern "C" int cudaStreamDestroy(void *);

static void make() {
  void *First = nullptr, *Second = nullptr;
  if (cudaStreamCreate(&First) ||
      cudaStreamCreate(&Second)) // finding: stream ownership plain
    std::exit(1);
  cudaStreamDestroy(First);
}

int main() {
  for (int Step = 0; Step < 60; ++Step)
    make();
}
