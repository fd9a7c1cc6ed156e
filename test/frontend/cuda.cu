// A file of CUDA is checked as the host sees it: with our own declarations where
// there is no toolkit, which is said once, and with a toolkit where there is one.
//
// RUN: not %tensorleak check %s --cuda-path none -- %mock_flags >%t.out 2>%t.err
// RUN: FileCheck %s --implicit-check-not=warning: <%t.out
// RUN: FileCheck %s --check-prefix=SAYS <%t.err
// RUN: not %tensorleak check %s --cuda-path none --no-cache -q -- %mock_flags -arch=sm_80 -lineinfo | FileCheck %s --implicit-check-not=warning:
//
// SAYS: tensorleak: no CUDA toolkit found; bundled declarations are used
// SAYS-NEXT: 2 warnings in 1 file; 1 file checked
#include <torch/torch.h>

#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

namespace cg = cooperative_groups;

__constant__ float Table[16];
texture<float, 1, cudaReadModeElementType> Reference;

template <typename T> __device__ T twice(T X) { return X + X; }
__host__ __device__ inline int rounded(int A, int B) { return (A + B - 1) / B; }

template <int Width> __global__ void __launch_bounds__(Width) kernel(float *P, int N) {
  extern __shared__ float Shared[];
  cg::thread_block Block = cg::this_thread_block();
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  Shared[threadIdx.x] = twice(P[I]) * rsqrtf(2.0f) + Table[I % 16] + tex1Dfetch(Reference, I);
  __syncthreads();
  Block.sync();
  float Sum = __shfl_xor_sync(0xFFFFFFFF, Shared[0], 16) + expf(P[I]) + std::sqrt(P[I]);
  atomicAdd(P, fmaxf(Sum, float(max(I, 1))));
  if (I == 0)
    printf("%f\n", __half2float(__float2half(Sum)));
}

std::vector<torch::Tensor> Kept;

void check(cudaError_t Error) {
  if (Error != cudaSuccess)
    throw Error;
}

void train(torch::nn::Linear Net, torch::Tensor X, cudaStream_t Stream) {
  float *Device, Host[16] = {};
  check(cudaMalloc(&Device, sizeof(Host)));
  check(cudaMemcpyToSymbol(Table, Host, sizeof(Host)));
  for (int I = 0; I < 9; ++I) {
    kernel<256><<<dim3(rounded(16, 256), 2), 256, 1024, Stream>>>(Device, 16);
    // CHECK: cuda.cu:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(X));
  }
  auto Launch = [=] __device__(int N) { return N * 2; };
  (void)Launch;
  check(cudaFree(Device));
}

// After all that.
void alsoTrain(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    // CHECK: cuda.cu:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(X));
}
