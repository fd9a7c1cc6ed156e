// Variables of classes whose definition is missing, as while a header is: the rest is analysed.
//
// RUN: not %tensorleak check %s --no-cache -q -- %mock_flags 2>&1 | FileCheck %s
//
// CHECK-NOT: crashed
// CHECK-DAG: incomplete: {{.*}}incomplete-class.cpp:[[#@LINE+8]]: implicit instantiation of undefined template
#include <torch/torch.h>

template <typename T> class Later;
struct Sooner;
std::vector<torch::Tensor> Kept;

torch::Tensor later(torch::Tensor X) {
  Later<float> First;
  Sooner Second;
  return X + 1;
}

void whole(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    // CHECK-DAG: incomplete-class.cpp:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(X));
}
