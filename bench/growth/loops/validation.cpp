// Predictions of each epoch's validation, of all epochs or of the last one.
#include <torch/torch.h>
#include <vector>

int main() {
  torch::nn::Sequential Net(torch::nn::Linear(20, 64), torch::nn::ReLU(), torch::nn::Linear(64, 8));
  torch::optim::Adam Optimizer(Net->parameters(), 1e-3);
  std::vector<torch::Tensor> Predictions;
  for (int Epoch = 0; Epoch < 30; ++Epoch) {
    for (int I = 0; I < 10; ++I) {
      Optimizer.zero_grad();
      Net->forward(torch::randn({16, 20})).pow(2).mean().backward();
      Optimizer.step();
    }
    torch::NoGradGuard Guard;
#if !LEAK
    Predictions.clear();
#endif
    for (int I = 0; I < 5; ++I)
      Predictions.push_back(
          Net->forward(torch::randn({64, 20}))); // LEAK total=307200 holder=Predictions
  }
}
