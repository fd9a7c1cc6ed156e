// The clang-tidy plugin says what the tool says; NOLINT and CheckOptions work.
//
// REQUIRES: tidy
// RUN: %tidy --checks='-*,tensor-*' %s --quiet -- %mock_flags >%t.plugin 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=warning: <%t.plugin
// RUN: not %tensorleak check %s -q -- %mock_flags >%t.tool
// RUN: grep -o '[0-9]*:[0-9]*: \(warning\|note\): .*' %t.plugin >%t.plugin.lines
// RUN: grep -o '[0-9]*:[0-9]*: \(warning\|note\): .*' %t.tool >%t.tool.lines
// RUN: diff %t.plugin.lines %t.tool.lines
// RUN: %tidy --checks='-*,tensor-*' %s --quiet -- %mock_flags -DNOTES 2>/dev/null | FileCheck %s --check-prefix=NONOTES --allow-empty
// RUN: %tidy --checks='-*,tensor-*' --config='{CheckOptions: {tensor-retained-activation.Notes: true}}' %s --quiet -- %mock_flags -DNOTES 2>/dev/null | FileCheck %s --check-prefix=NOTES
#include <torch/torch.h>

std::vector<torch::Tensor> Kept;

#ifndef NOTES
void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    // CHECK: tidy-plugin.cpp:[[#@LINE+1]]:{{.*}}warning: {{.*}}[tensor-retained-activation]
    Kept.push_back(Net->forward(X));
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X)); // NOLINT(tensor-retained-activation)
}
template <typename T> void keepAll(torch::nn::Linear Net, T &Data) {
  for (auto &X : Data)
    // CHECK: tidy-plugin.cpp:[[#@LINE+1]]:{{.*}}warning: {{.*}}[tensor-retained-activation]
    Kept.push_back(Net->forward(X));
}
template void keepAll(torch::nn::Linear, std::vector<torch::Tensor> &);
#else
// A finding of level note: after backward() little is left of the graph.
void history(torch::nn::Linear Net, torch::optim::Optimizer &Optimizer, torch::Tensor X) {
  std::vector<torch::Tensor> Losses;
  for (int I = 0; I < 9; ++I) {
    Optimizer.zero_grad();
    auto Loss = Net->forward(X).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    // NONOTES-NOT: warning:
    // NOTES: tidy-plugin.cpp:[[#@LINE+1]]:{{.*}}warning: {{.*}}[tensor-retained-activation]
    Losses.push_back(Loss);
  }
}
#endif
