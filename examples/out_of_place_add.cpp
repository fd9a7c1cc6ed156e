// Lets a temperature field relax towards its surroundings.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::NoGradGuard no_grad;
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  auto field = torch::full({4096, 4096}, 80.0, device);
  auto cooling = torch::full({4096, 4096}, -0.25, device);
  for (int step = 0; step < 80; ++step)
    field = field + cooling;

  std::cout << "mean temperature: " << field.mean().item<float>() << "\n";
}
