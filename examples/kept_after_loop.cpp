// Averages the frames of an exposure, then renders a sweep from the average.
#include <torch/torch.h>

#include <iostream>

float render(int exposure, torch::Device device) {
  auto frames = torch::empty({16, 1024, 1024}, device);
  for (int i = 0; i < 16; ++i)
    frames[i].fill_(exposure + i);
  auto average = frames.mean(0);

  auto sweep = torch::zeros({16, 1024, 1024}, device);
  for (int i = 0; i < 16; ++i)
    sweep[i].add_(average, i);
  return sweep.mean().item<float>();
}

int main() {
  torch::NoGradGuard no_grad;
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  float brightness = 0;
  for (int exposure = 0; exposure < 60; ++exposure)
    brightness += render(exposure, device);
  std::cout << "brightness: " << brightness << "\n";
}
