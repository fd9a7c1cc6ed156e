// Trains for so many steps, and keeps the output of each tenth: what a long run leaves to be
// replayed. Of ten steps a second, 36,000 are an hour's.
#include <torch/torch.h>

#include <cstdlib>
#include <vector>

int main(int Count, char **Arguments) {
  const int Steps = Count > 1 ? std::atoi(Arguments[1]) : 100;
  torch::set_num_threads(1);
  torch::nn::Sequential Net(torch::nn::Linear(16, 32), torch::nn::ReLU(), torch::nn::Linear(32, 1));
  torch::optim::SGD Optimizer(Net->parameters(), 0.01);
  std::vector<torch::Tensor> Kept;
  for (int Step = 0; Step < Steps; ++Step) {
    Optimizer.zero_grad();
    torch::Tensor Output = Net->forward(torch::ones({8, 16}));
    Output.mean().backward();
    Optimizer.step();
    if (Step % 10 == 0)
      Kept.push_back(Output);
  }
}
