// nvcc also takes a launch whose brackets stand apart, as some formatters write them, in
// headers too, and its cuda_runtime.h brings <string.h> and <time.h> along. Places stay
// what they are. What is no launch stays what it is.
//
// RUN: not %tensorleak check %s -q --cuda-path none --no-cache -- %mock_flags 2>&1 | FileCheck %s --implicit-check-not=incomplete --implicit-check-not=warning:
// RUN: not %tensorleak check %s -q --no-cache -- %mock_flags 2>&1 | FileCheck %s --implicit-check-not=incomplete --implicit-check-not=warning:
// CHECK: launch.cuh:8:3: warning: {{.*}}'InHeader'
#include <cuda_runtime.h>

#include "Inputs/launch.cuh"

#include <ostream>
#include <vector>

template <typename T> __global__ void kernel(T *P) { P[0] = 0; }

template <typename T> class Box;
template <typename T> std::ostream &operator<<(std::ostream &Out, const Box<T> &) { return Out; }
template <typename T> class Box {
  friend std::ostream &operator<< <T>(std::ostream &, const Box<T> &);
  friend std::ostream &operator
      << <>(std::ostream &, const Box<T> &);
  std::vector<std::vector<std::vector<T>> > Values;
};
Box<int> TheBox;

void launch(int N, std::vector<std::vector<int> > Sizes) {
  float *Device;
  long Began = time(0);
  // CHECK: launches.cu:[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}}'Device'
  cudaMalloc((void **)&Device, max(N, 1) * sizeof(float)), kernel << <1, 32 >> > (Device);
  memset(Sizes.data(), 0, time(0) - Began);
}
