// Memory for each frame of a video.
#include "cuda.h"

static float *upload(size_t Bytes) {
  float *Frame = nullptr;
  cudaMalloc((void **)&Frame, Bytes); // LEAK bytes=49152 holder=-
  return Frame;
}

int main() {
  for (int I = 0; I < 120; ++I) {
    float *Frame = upload(3 * 64 * 64 * sizeof(float));
#if !LEAK
    cudaFree(Frame);
#else
    (void)Frame;
#endif
  }
}
