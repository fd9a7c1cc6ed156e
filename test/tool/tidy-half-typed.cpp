// Where the compiler reports an error, as while something is typed, the plugin takes nothing for
// certain: what is missing may be what frees or resets.
//
// REQUIRES: tidy
// RUN: %tidy --quiet --checks=-*,tensor-* %s -- %mock_flags 2>/dev/null | FileCheck %s --check-prefix=WHOLE
// RUN: not %tidy --quiet --checks=-*,tensor-* %s -- %mock_flags -DTYPING 2>/dev/null | FileCheck %s --check-prefix=TYPING --implicit-check-not=[tensor-
// RUN: not %tidy --quiet --checks=-*,tensor-* --config='{CheckOptions: {tensor-retained-activation.Notes: true}}' %s -- %mock_flags -DTYPING 2>/dev/null | FileCheck %s --check-prefix=NOTES
#include <torch/torch.h>

std::vector<torch::Tensor> Kept;

void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    // WHOLE: [[#@LINE+2]]:5: warning: {{.*}}[tensor-retained-activation]
    // NOTES: [[#@LINE+1]]:5: warning: {{.*}}[tensor-retained-activation]
    Kept.push_back(Net->forward(X));
}

#ifdef TYPING
void train(torch::nn::Linear Net, torch::Tensor X) {
  torch::Tensor Loss = Net->forward(X).sum();
  // TYPING: [[#@LINE+1]]:{{.*}}error: expected
  Loss.backward(;
}
#endif
