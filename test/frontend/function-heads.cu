// A test framework's headers are missing: its macros make the heads of functions, and of methods
// where the first argument is a class of the file.
//
// RUN: not %tensorleak check --stats --no-cache --cuda-path none --level note %s -- -std=c++17 >%t.txt 2>%t.err
// RUN: FileCheck %s --implicit-check-not='{{(note|warning): .*\[tensor-}}' <%t.txt
// RUN: FileCheck %s --check-prefix=SAYS --implicit-check-not='not analysed' <%t.err
// SAYS: incomplete: {{.*}}function-heads.cu:[[#@LINE+1]]: 'framework/test.h' file not found; give
#include "framework/test.h"
#include <cuda_runtime.h>

TEST_CASE("copies values", "[memory]") {
  float *data;
  // CHECK: function-heads.cu:[[@LINE+1]]:{{.*}}note: 1 KiB of device memory in 'data' is not given back before 'TEST_CASE_{{[0-9]+}}' returns
  REQUIRE(cudaMalloc(&data, 1024) == cudaSuccess);
  REQUIRE(cudaMemset(data, 0, 1024) == cudaSuccess);
}

TEST(Memory, Sums) {
  float *data;
  // CHECK: function-heads.cu:[[@LINE+1]]:{{.*}}note: 1 KiB of device memory in 'data' is not given back
  cudaMalloc(&data, 1024);
  EXPECT_EQ(1, 2);
}

class Streams : public framework::Test {
protected:
  void SetUp() override { cudaStreamCreate(&stream); }
  void TearDown() override { cudaStreamDestroy(stream); }
  cudaStream_t stream;
  float *kept;
};

TEST_F(Streams, Runs) {
  float *data;
  // CHECK: function-heads.cu:[[@LINE+1]]:{{.*}}note: 1 KiB of stream-ordered device memory in 'data' is not given back
  cudaMallocAsync(&data, 1024, stream);
  cudaMemsetAsync(data, 0, 1024, stream);
}

TEST_F(Streams, Keeps) {
  // CHECK: function-heads.cu:[[@LINE+1]]:{{.*}}note: 1 KiB of stream-ordered device memory in 'kept' is never given back; 'TearDown' frees 'stream'
  cudaMallocAsync(&kept, 1024, stream);
}

//===-- Near misses -------------------------------------------------------------===//

TEST_CASE("gives back what it took", "[memory]") {
  float *data;
  REQUIRE(cudaMalloc(&data, 1024) == cudaSuccess);
  REQUIRE(cudaFree(data) == cudaSuccess);
}

TEST(Memory, HandsOn) {
  float *data;
  cudaMalloc(&data, 1024);
  framework::release(data);
}

TEST_F(Streams, GivesBack) {
  float *data;
  cudaMallocAsync(&data, 1024, stream);
  cudaFreeAsync(data, stream);
}

// No function: a table that a macro makes.
TABLE(rows) { 1, 2, 3 };
