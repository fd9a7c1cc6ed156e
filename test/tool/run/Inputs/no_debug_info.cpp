// An inference loop that keeps each output, or the last one only.
#include <torch/torch.h>

#include <vector>

std::vector<torch::Tensor> Outputs;

__attribute__((noinline)) void step(const torch::Tensor &Input, bool Keep) {
  if (!Keep)
    Outputs.clear();
  Outputs.push_back(torch::relu(Input));
}

int main(int Count, char **) {
  torch::NoGradGuard Guard;
  for (int I = 0; I < 200; ++I)
    step(torch::randn({8, 8}), Count > 1);
  return 0;
}
