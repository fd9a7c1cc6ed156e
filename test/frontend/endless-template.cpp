// Templates that instantiate each other without end are as fatal as for the compiler: two of
// them a level, up to the depth of 1024, would take all memory.
//
// RUN: bash -c "ulimit -v 8000000; timeout 60 %tensorleak check --no-cache %s -- %mock_flags -DBRANCHES; test \$? = 3" >%t.out 2>&1
// RUN: FileCheck %s --check-prefix=BRANCHES <%t.out
// RUN: bash -c "ulimit -v 8000000; timeout 60 %tensorleak check --no-cache %s -- %mock_flags; test \$? = 3" >%t.out 2>&1
// RUN: FileCheck %s <%t.out
// RUN: bash -c "ulimit -v 8000000; timeout 60 %tensorleak check --no-cache %s -- %mock_flags -DFUNCTIONS; test \$? = 3" >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=CHECK,FUNCTIONS <%t.out
// RUN: bash -c "ulimit -v 8000000; timeout 60 %tensorleak check --no-cache %s -- %mock_flags -DTWO_FUNCTIONS; test \$? = 3" >%t.out 2>&1
// RUN: FileCheck %s <%t.out
// RUN: not %tensorleak check --no-cache %s -- %mock_flags -DUNUSED 2>&1 | FileCheck --implicit-check-not=incomplete %s --check-prefix=FINITE
// RUN: not %tensorleak check --no-cache %s -- %mock_flags -DFINITE | FileCheck %s --check-prefix=FINITE
//
// FUNCTIONS: endless-template.cpp:{{.*}}warning: what is added to 'Kept'
// CHECK: incomplete: {{.*}}endless-template.cpp:{{.*}}recursive template instantiation exceeded
// BRANCHES: incomplete: {{.*}}endless-template.cpp:{{.*}}is not a constant expression
// FINITE: endless-template.cpp:{{.*}}warning: what is added to 'Kept'
#include <torch/torch.h>
#include <vector>

#if defined(BRANCHES)
template <int N> struct Tree {
  using Left = typename Tree<2 * N + 1>::Left;
  using Right = typename Tree<2 * N + 2>::Right;
};
#elif defined(FUNCTIONS) // one way: what else is in the file is known
template <int N> void next() { next<N + 1>(); }
void start() { next<0>(); }
#elif defined(TWO_FUNCTIONS)
template <int N> void next() {
  next<N + 1>();
  next<N + 2>();
}
void start() { next<0>(); }
#elif defined(UNUSED) // made of a float to be looked at; the user never asks for that
extern "C" int cudaMalloc(void **, unsigned long);
extern "C" int cudaFree(void *);
template <typename T, int N> unsigned long sizeOf() { return T::size() + sizeOf<T, N + 1>(); }
template <typename T> void scratch() {
  void *P = nullptr;
  cudaMalloc(&P, sizeOf<T, 0>());
  cudaFree(P);
}
#elif defined(FINITE)
template <int N> struct Tree {
  using Left = int;
};
#else
template <int N> struct Tree {
  using Left = typename Tree<N + 1>::Left;
  using Right = typename Tree<N + 2>::Right;
};
#endif
#if !defined(FUNCTIONS) && !defined(TWO_FUNCTIONS) && !defined(UNUSED)
Tree<0>::Left root();
#endif

std::vector<torch::Tensor> Kept;
void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X));
}
