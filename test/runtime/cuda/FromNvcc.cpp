// A source of which nvcc gives the host's compiler a text with the same lines and other columns.
#include <cstdlib>

extern "C" int cudaStreamCreate(void **);
#define CHECK(CALL)                                                                                \
  if (CALL)                                                                                        \
  std::exit(1)

static void make(int Step) {
  void *Stream = nullptr;
  if (Step >= 0) CHECK(cudaStreamCreate(&Stream)); // finding: stream ownership plain
}

int main() {
  for (int Step = 0; Step < 60; ++Step)
    make(Step);
}
