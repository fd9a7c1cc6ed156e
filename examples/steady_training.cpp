// Fits a small network to a random teacher; memory stays where it is from the
// second step on.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::Sequential model(torch::nn::Linear(64, 1024), torch::nn::ReLU(),
                              torch::nn::Linear(1024, 16));
  auto teacher = torch::randn({64, 16}, device) * 0.1;
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), 1e-3);

  float mean_loss = 0;
  for (int step = 0; step < 120; ++step) {
    auto inputs = torch::randn({128, 64}, device);
    auto targets = torch::matmul(inputs, teacher);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(inputs), targets);
    loss.backward();
    optimizer.step();
    mean_loss = 0.9f * mean_loss + 0.1f * loss.item<float>();
  }
  std::cout << "loss: " << mean_loss << "\n";
}
