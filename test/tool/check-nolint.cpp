// NOLINT comments mean what they mean to clang-tidy.
//
// RUN: not %tensorleak check %s --stats -- %mock_flags 2>&1 | FileCheck %s --implicit-check-not=warning:
#include <torch/torch.h>

std::vector<torch::Tensor> Kept;

void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X)); // NOLINT
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X)); // NOLINT(bugprone-*,tensor-retained-activation)
  for (int I = 0; I < 9; ++I)
    // NOLINTNEXTLINE(tensor-*)
    Kept.push_back(Net->forward(X));
  // NOLINTBEGIN(tensor-retained-activation)
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X));
  // NOLINTEND(tensor-retained-activation)
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X)); // NOLINT(bugprone-*)
  // CHECK: check-nolint.cpp:[[#@LINE-1]]:{{.*}}warning:
}
// CHECK: 4 findings silenced by NOLINT
