// A hook on a parameter is registered in each step, and keeps what it captures.
#include <torch/torch.h>

int main() {
  torch::nn::Linear Net(32, 16);
  torch::optim::SGD Optimizer(Net->parameters(), 0.01);
#if !LEAK
  torch::Tensor Mask = torch::ones({16, 32});
  Net->weight.register_hook([Mask](torch::Tensor G) { return G * Mask; });
#endif
  for (int I = 0; I < 120; ++I) {
#if LEAK
    torch::Tensor Mask =
        torch::rand({16, 32}).gt(0.1).to(torch::kFloat); // LEAK bytes=2048 holder=Net|weight
    Net->weight.register_hook([Mask](torch::Tensor G) { return G * Mask; });
#endif
    Optimizer.zero_grad();
    Net(torch::randn({8, 32})).pow(2).mean().backward();
    Optimizer.step();
  }
}
