// A function of which the compiler's tree lacks something is not analysed, and the
// file is said to be parsed in part; the other functions are analysed. Errors in device code alone
// cost nothing.
//
// RUN: not %tensorleak check %s --cuda-path none --no-cache -q -- %mock_flags 2>&1 | FileCheck %s --check-prefix=DEVICE --implicit-check-not=incomplete --implicit-check-not=warning:
// RUN: not %tensorleak check %s --cuda-path none --no-cache --stats --level note -- %mock_flags -DHOST >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=HOST --implicit-check-not=warning: <%t.out
// RUN: FileCheck %s --check-prefix=SAYS <%t.err
// RUN: not %tensorleak check %s --cuda-path none --no-cache -q -- %mock_flags -DHEADER 2>&1 | FileCheck %s --check-prefix=HEADER
//
// SAYS: incomplete: {{.*}}broken.cu:{{[0-9]+}}: use of undeclared identifier 'no_such_namespace'
// SAYS: 6 functions analysed
// SAYS-SAME: 1 file parsed in part
// SAYS-NEXT: 2 functions not analysed (compiler errors):
// SAYS-NEXT:   half
// SAYS-NEXT:   halfIncluded
// HEADER-DAG: incomplete: {{.*}}'no_such_header.h' file not found
#include <torch/torch.h>
#ifdef HEADER
#include "no_such_header.h"
#endif

__global__ void kernel(float *P) { P[0] = no_such_intrinsic(P[1]); }
template <typename T> __device__ T other(T X) { return another_missing_one(X, 1); }

std::vector<torch::Tensor> A, B, C, D, E;

void whole(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    // DEVICE: broken.cu:[[#@LINE+3]]:{{.*}}warning:
    // HOST: broken.cu:[[#@LINE+2]]:{{.*}}warning:
    // HEADER-DAG: broken.cu:[[#@LINE+1]]:{{.*}}warning:
    A.push_back(Net->forward(X));
}

#ifdef HOST
// The tree lacks the second statement: it could be anything.
void half(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    B.push_back(Net->forward(X));
  no_such_namespace::type Out(B);
  dim3 Blocks(no_such_count(3), 1u); // without a type in the tree
}

void halfIncluded(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    E.push_back(Net->forward(X));
#include "Inputs/half.inc"
}

// What the function above can reach is left alone.
void besideHalf(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    B.push_back(Net->forward(X));
}

// Of a wrong call the arguments are known.
void takesOne(int);
void partsAreKnown(torch::nn::Linear Net, torch::Tensor X) {
  takesOne(X, 1);
  for (int I = 0; I < 9; ++I)
    // HOST: broken.cu:[[#@LINE+1]]:{{.*}}warning:
    C.push_back(Net->forward(X));
}
void partsAreUsed(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    D.push_back(Net->forward(X));
  takesOne(D, 1);
}
void undeclared(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    D.push_back(Net->forward(X));
  noSuchFunction(D);
}

// Lists among the parts of a wrong call have no type. A name that nobody declares may be a known
// one that is spelled wrong: a note.
std::vector<torch::Tensor> E;
void listed(torch::nn::Linear Net, torch::Tensor X) {
  std::vector<noSuchNamespace::Image> Images(3);
  auto Y = torch::from_blob(Images[0].data(), {2, 2}, torch::kUInt8);
  torch::cat({Y, X}).view({2, 2});
  for (int I = 0; I < 9; ++I)
    // HOST: broken.cu:[[#@LINE+1]]:{{.*}}note:
    E.push_back(Net->forward(X));
}
#endif
