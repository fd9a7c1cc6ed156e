// The 15-line LibTorch program whose check bench/frontend.py times.
#include <torch/torch.h>

int main() {
  torch::nn::Linear Net(784, 10);
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  std::vector<torch::Tensor> Losses;
  for (int Step = 0; Step < 1000; ++Step) {
    Optimizer.zero_grad();
    auto Loss = Net->forward(torch::rand({64, 784})).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    Losses.push_back(Loss.detach());
  }
}
