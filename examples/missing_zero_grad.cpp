// Linear regression with momentum.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::Linear model(512, 256);
  auto teacher = torch::randn({512, 256}, device) * 0.05;
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(1e-3).momentum(0.9));

  float last = 0;
  for (int step = 0; step < 100; ++step) {
    auto inputs = torch::randn({64, 512}, device);
    auto targets = torch::matmul(inputs, teacher);
    auto loss = torch::mse_loss(model->forward(inputs), targets);
    loss.backward();
    optimizer.step();
    last = loss.item<float>();
  }
  std::cout << "loss: " << last << "\n";
}
