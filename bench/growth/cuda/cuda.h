// What these programs use of CUDA's runtime; the tests' fake library has it.
#include <cstddef>

using cudaStream_t = void *;
struct ChannelFormat {
  int X, Y, Z, W, Kind;
};

extern "C" {
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMallocHost(void **, size_t);
int cudaFreeHost(void *);
int cudaHostRegister(void *, size_t, unsigned);
int cudaHostUnregister(void *);
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int cudaGraphCreate(void **, unsigned);
int cudaGraphDestroy(void *);
int cudaGraphInstantiate(void **, void *, unsigned long long);
int cudaGraphExecDestroy(void *);
int cudaMallocArray(void **, const ChannelFormat *, size_t, size_t, unsigned);
int cudaFreeArray(void *);
int cudaCreateTextureObject(unsigned long long *, const void *, const void *, const void *);
int cudaDestroyTextureObject(unsigned long long);
}
