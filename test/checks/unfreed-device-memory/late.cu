// Buffers that are never used at the same time (row 29): the first could be freed before
// the second is allocated.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <cusparse.h>

constexpr size_t Size = 16 << 20;
__global__ void multiply(const float *a, const float *b, float *c) {}

void both_at_once(const float *a, const float *b, const float *d, float *e) {
  float *a_gpu, *b_gpu, *c_gpu, *d_gpu, *e_gpu;
  cudaMalloc(&a_gpu, Size);
  cudaMalloc(&b_gpu, Size);
  cudaMalloc(&c_gpu, Size);
  cudaMalloc(&d_gpu, Size); // expected-note {{'a_gpu', 'b_gpu' had the last use; free first and allocate then, and the peak is 16 MiB}} [tensor-unfreed-device-memory]
  cudaMalloc(&e_gpu, Size);
  cudaMemcpy(a_gpu, a, Size, cudaMemcpyHostToDevice);
  cudaMemcpy(b_gpu, b, Size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_gpu, d, Size, cudaMemcpyHostToDevice);
  multiply<<<1, 32>>>(a_gpu, b_gpu, c_gpu); // expected-path {{the last use of 'a_gpu' is here}} expected-path {{the last use of 'b_gpu' is here}}
  multiply<<<1, 32>>>(c_gpu, d_gpu, e_gpu);
  cudaMemcpy(e, e_gpu, Size, cudaMemcpyDeviceToHost);
  cudaFree(a_gpu); // expected-path {{and it is freed here}}
  cudaFree(b_gpu);
  cudaFree(c_gpu);
  cudaFree(d_gpu);
  cudaFree(e_gpu);
}

void one_after_the_other(const float *a, const float *b, const float *d, float *e) {
  float *a_gpu, *b_gpu, *c_gpu, *d_gpu, *e_gpu;
  cudaMalloc(&a_gpu, Size);
  cudaMalloc(&b_gpu, Size);
  cudaMalloc(&c_gpu, Size);
  cudaMemcpy(a_gpu, a, Size, cudaMemcpyHostToDevice);
  cudaMemcpy(b_gpu, b, Size, cudaMemcpyHostToDevice);
  multiply<<<1, 32>>>(a_gpu, b_gpu, c_gpu);
  cudaFree(a_gpu);
  cudaFree(b_gpu);
  cudaMalloc(&d_gpu, Size);
  cudaMalloc(&e_gpu, Size);
  cudaMemcpy(d_gpu, d, Size, cudaMemcpyHostToDevice);
  multiply<<<1, 32>>>(c_gpu, d_gpu, e_gpu);
  cudaMemcpy(e, e_gpu, Size, cudaMemcpyDeviceToHost);
  cudaFree(c_gpu);
  cudaFree(d_gpu);
  cudaFree(e_gpu);
}

// In one loop they are used at the same time.
void in_a_loop(float *host) {
  float *a, *b;
  cudaMalloc(&a, Size);
  cudaMalloc(&b, Size);
  for (int i = 0; i < 10; ++i) {
    multiply<<<1, 32>>>(a, a, a);
    multiply<<<1, 32>>>(b, b, b);
  }
  cudaFree(a);
  cudaFree(b);
}

// Small, or of unknown size.
void small(size_t n) {
  float *a, *b;
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, n);
  multiply<<<1, 32>>>(a, a, a);
  multiply<<<1, 32>>>(b, b, b);
  cudaFree(a);
  cudaFree(b);
}

// Another name for the buffer.
void aliased(float *host) {
  float *a, *b, *same;
  cudaMalloc(&a, Size);
  cudaMalloc(&b, Size);
  multiply<<<1, 32>>>(a, a, a);
  same = a;
  multiply<<<1, 32>>>(b, b, same);
  cudaFree(a);
  cudaFree(b);
}

//===-- Somebody keeps the pointer -------------------------------------------===//

struct Table {
  const float *data;
};
Table table;
void bind(Table &table, const float *data);
void print(const Table &table);
__global__ void read_table(float *b) {}

void bound_to_an_object_that_stays(float *out) {
  float *a_gpu, *b_gpu;
  cudaMalloc(&a_gpu, Size);
  cudaMalloc(&b_gpu, Size);
  cudaMemset(a_gpu, 0, Size);
  bind(table, a_gpu);
  read_table<<<1, 32>>>(b_gpu); // and 'a_gpu', through the table
  cudaMemcpy(out, b_gpu, Size, cudaMemcpyDeviceToHost);
  cudaFree(a_gpu);
  cudaFree(b_gpu);
}

void behind_a_descriptor(float *out) {
  float *a_gpu, *b_gpu;
  cusparseDnVecDescr_t vector;
  cudaMalloc(&a_gpu, Size);
  cudaMalloc(&b_gpu, Size);
  cudaMemset(a_gpu, 0, Size);
  cusparseCreateDnVec(&vector, Size / 4, a_gpu, CUDA_R_32F);
  read_table<<<1, 32>>>(b_gpu);
  cudaMemcpy(out, b_gpu, Size, cudaMemcpyDeviceToHost);
  cusparseDestroyDnVec(vector);
  cudaFree(a_gpu);
  cudaFree(b_gpu);
}

void beside_a_table(float *out) {
  float *a_gpu, *b_gpu;
  cudaMalloc(&a_gpu, Size);
  cudaMalloc(&b_gpu, Size); // expected-note {{'a_gpu' had the last use}} [tensor-unfreed-device-memory]
  cudaMemset(a_gpu, 0, Size);
  read_table<<<1, 32>>>(a_gpu); // expected-path {{the last use of 'a_gpu' is here}}
  print(table);
  read_table<<<1, 32>>>(b_gpu);
  cudaMemcpy(out, b_gpu, Size, cudaMemcpyDeviceToHost);
  cudaFree(a_gpu); // expected-path {{and it is freed here}}
  cudaFree(b_gpu);
}
