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

torch::Tensor *thrown(int N) {
  Later<float> First(N, 2);
  if (N < 0)
    throw N;
  return new torch::Tensor;
}

void lost() {
  // CHECK-DAG: incomplete-class.cpp:[[#@LINE+1]]:{{.*}}warning:
  torch::Tensor *Third = thrown(3);
}
