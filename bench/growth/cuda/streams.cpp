// A stream per request.
#include "cuda.h"

static void request() {
  cudaStream_t Stream;
  cudaStreamCreate(&Stream); // LEAK count=1 holder=-
#if !LEAK
  cudaStreamDestroy(Stream);
#endif
}

int main() {
  for (int I = 0; I < 100; ++I)
    request();
}
