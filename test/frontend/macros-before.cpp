// A macro that LibTorch's headers mention, defined before them: they read differently then, and no
// prelude of theirs may be used. One that they do not mention costs nothing.
//
// REQUIRES: torch
// RUN: not %tensorleak check %s -q -- %torch_flags >%t.first
// RUN: not %tensorleak check %s -q -- %torch_flags -DOTHER >%t.second
// RUN: not %tensorleak check %s -q --no-cache -- %torch_flags >%t.uncached
// RUN: FileCheck %s --implicit-check-not=warning: <%t.first
// RUN: cmp %t.first %t.second
// RUN: cmp %t.first %t.uncached
#define STEPS 100
#ifdef OTHER
#define MORE_STEPS 1000
#endif
#define Conv2d Convolution
#include <torch/torch.h>

std::vector<torch::Tensor> Kept;

void serve(torch::nn::Conv2d Net, torch::Tensor Image) {
  for (int I = 0; I < STEPS; ++I)
    // CHECK: macros-before.cpp:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(Image));
}
