// All scores are collected for a figure at the end; in the leak nobody ever looks at them again.
#include <torch/torch.h>
#include <vector>

struct Scores {
  std::vector<torch::Tensor> Parts;
  void add(torch::Tensor T) { Parts.push_back(std::move(T)); }
  float auc() const { return std::get<0>(torch::cat(Parts).sort()).mean().item<float>(); }
};

static Scores All;

int main() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 32);
  for (int I = 0; I < 160; ++I)
    All.add(torch::sigmoid(Net(torch::randn({16, 32})))); // LEAK bytes=2048 holder=All
#if !LEAK
  float Out = All.auc();
  All.Parts.clear();
  return Out < 0;
#endif
}
