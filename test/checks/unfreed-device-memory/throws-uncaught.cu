// Where nobody in view catches anything, an exception may well end the program: a note.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <stdexcept>

static int size_of(int format) {
  if (format > 4)
    throw std::invalid_argument("no such format");
  return format * 4;
}

void convert(int format) {
  float *data;
  cudaMalloc(&data, 1 << 20); // expected-note {{when this function throws}} [tensor-unfreed-device-memory]
  cudaMemset(data, 0, size_of(format)); // expected-path {{this way out leaves it behind}}
  cudaFree(data); // expected-path {{others are freed here}}
}
