// A record of C, in a variable of the function's own.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <stddef.h>

struct buffers {
  float *in, *out;
  struct {
    size_t bytes;
  } size;
};

void loses_one(size_t bytes) {
  struct buffers b;
  b.size.bytes = bytes;
  cudaMalloc((void **)&b.in, b.size.bytes);
  cudaMalloc((void **)&b.out, b.size.bytes); // expected-warning {{in 'b.out'}} [tensor-unfreed-device-memory]
  cudaFree(b.in); // expected-path {{others are freed here}}
}

void frees_both(size_t bytes) {
  struct buffers b;
  b.size.bytes = bytes;
  cudaMalloc((void **)&b.in, b.size.bytes);
  cudaMalloc((void **)&b.out, b.size.bytes);
  cudaFree(b.in);
  cudaFree(b.out);
}
