// The network of 256, 1024 and 64 on which docs/patterns.md was measured; each program has the
// forward pass itself, with its comments.
#include <torch/torch.h>

struct TwoLayers : torch::nn::Module {
  torch::nn::Linear In{nullptr}, Out{nullptr};
  TwoLayers() {
    In = register_module("in", torch::nn::Linear(256, 1024));
    Out = register_module("out", torch::nn::Linear(1024, 64));
  }
};
