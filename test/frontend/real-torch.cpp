// LibTorch's own headers, with and without a prelude.
//
// REQUIRES: torch
// RUN: not %tensorleak check %s -q -- %torch_flags >%t.first
// RUN: not %tensorleak check %s -q -- %torch_flags >%t.warm
// RUN: not %tensorleak check %s -q --no-cache -- %torch_flags >%t.uncached
// RUN: FileCheck %s --implicit-check-not=warning: <%t.first
// RUN: cmp %t.first %t.warm
// RUN: cmp %t.first %t.uncached
#include <torch/torch.h>

std::vector<torch::Tensor> Kept;

template <typename DataLoader> void train(torch::nn::Linear Net, DataLoader &Data) {
  for (auto &Batch : Data)
    // CHECK: real-torch.cpp:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(Batch.data));
}

int main() {
  auto Set = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto Loader = torch::data::make_data_loader(std::move(Set), 64);
  train(torch::nn::Linear(784, 10), *Loader);
}
