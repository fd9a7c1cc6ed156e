// Scores a network on a validation set.
#include <torch/torch.h>

#include <iostream>

float validate(torch::nn::Sequential &model, torch::nn::Linear &teacher, int batches,
               torch::Device device) {
  model->eval();
  torch::NoGradGuard no_grad;
  float total = 0;
  for (int batch = 0; batch < batches; ++batch) {
    auto inputs = torch::randn({128, 256}, device);
    auto targets = teacher->forward(inputs).detach();
    auto loss = torch::mse_loss(model->forward(inputs), targets);
    total += loss.item<float>();
  }
  return total / batches;
}

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::Sequential model(torch::nn::Linear(256, 1024), torch::nn::ReLU(),
                              torch::nn::Linear(1024, 64));
  torch::nn::Linear teacher(256, 64);
  model->to(device);
  teacher->to(device);
  std::cout << "validation loss: " << validate(model, teacher, 100, device) << "\n";
}
