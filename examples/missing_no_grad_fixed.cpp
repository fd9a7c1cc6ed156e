// Scores batches with a network in evaluation mode, without gradients.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::Sequential net(torch::nn::Linear(256, 1024), torch::nn::ReLU(),
                            torch::nn::Linear(1024, 1024), torch::nn::ReLU(),
                            torch::nn::Linear(1024, 10));
  net->to(device);
  net->eval();

  int64_t hits = 0;
  for (int batch = 0; batch < 100; ++batch) {
    torch::NoGradGuard no_grad;
    auto images = torch::randn({128, 256}, device);
    auto scores = net->forward(images);
    hits += (scores.argmax(1) == 3).sum().item<int64_t>();
  }
  std::cout << "hits: " << hits << "\n";
}
