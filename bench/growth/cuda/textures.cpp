// A texture object and its array per picture.
#include "cuda.h"

int main() {
  ChannelFormat Format{32, 0, 0, 0, 2};
  for (int I = 0; I < 100; ++I) {
    void *Array = nullptr;
    cudaMallocArray(&Array, &Format, 64, 16, 0);
    unsigned long long Texture = 0;
    cudaCreateTextureObject(&Texture, Array, Array, nullptr); // LEAK count=1 holder=-
#if !LEAK
    cudaDestroyTextureObject(Texture);
#endif
    cudaFreeArray(Array);
  }
}
