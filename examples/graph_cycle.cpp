// Denoises frames with a residual layer whose sum is written in place.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::Linear residual(256, 256);
  residual->to(device);

  float energy = 0;
  for (int frame = 0; frame < 100; ++frame) {
    auto signal = torch::randn({128, 256}, device);
    signal += torch::relu(residual->forward(signal));
    energy += signal.pow(2).mean().item<float>();
  }
  std::cout << "energy: " << energy << "\n";
}
