// A program with random numbers. A mode and its clean twin; comments as in Victim.cpp.
#include <cstddef>
#include <cstdio>
#include <cstring>

extern "C" {
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int curandCreateGenerator(void **, int);
int curandGenerateUniform(void *, float *, size_t);
int curandDestroyGenerator(void *);
}

static bool Clean = false;

/// The generator allocates when it is used first, and frees that when it is destroyed.
static void generator(int Steps) {
  for (int I = 0; I < Steps; ++I) { // loop: generator
    void *Generator = nullptr;
    curandCreateGenerator(&Generator, 100);        // finding: generator ownership plain generator
    curandGenerateUniform(Generator, nullptr, 16); // finding: states ownership plain generator
    if (Clean)
      curandDestroyGenerator(Generator);
  } // end: generator
}

int main(int, char **Arguments) {
  void *Stream = nullptr;
  cudaStreamCreate(&Stream);
  Clean = std::strncmp(Arguments[1], "clean-", 6) == 0;
  generator(60);
  cudaStreamDestroy(Stream);
  std::puts("done");
  return 0;
}
