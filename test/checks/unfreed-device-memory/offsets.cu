// `&p[i]` is `p + i`, and `&*p` is p.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>

void freed_at_its_first_element(int n) {
  float *data;
  cudaMalloc(&data, n);
  cudaFree(&data[0]);
}

void freed_by_its_content(int n) {
  float *data, *same;
  cudaMalloc(&data, n);
  same = &*data;
  cudaFree(same);
}

void not_freed(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{'data'}} [tensor-unfreed-device-memory]
  cudaMemset(&data[4], 0, 4);
} // expected-fix {{cudaFree(data);}}

// The elements of this one are pointers: each is a place of its own.
void elements(float **many, int n) {
  float *one;
  cudaMalloc(&many[0], n);
  cudaMalloc(&one, n); // expected-warning {{'one'}} [tensor-unfreed-device-memory]
  cudaFree(many[0]); // expected-path {{others are freed here}}
} // expected-fix {{cudaFree(one);}}
