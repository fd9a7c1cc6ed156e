// Estimates the covariance of a stream of samples, with exponential forgetting.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::NoGradGuard no_grad;
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  auto samples = torch::randn({4, 4096}, device);
  auto covariance = torch::zeros({4096, 4096}, device);
  auto drift = torch::ones({4096, 4096}, device);
  for (int step = 0; step < 60; ++step) {
    covariance.add_(torch::matmul(samples.t(), samples));
    covariance.sub_(drift * 0.01);
  }

  std::cout << "total variance: " << covariance.diagonal().sum().item<float>() << "\n";
}
