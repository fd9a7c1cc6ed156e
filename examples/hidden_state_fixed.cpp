// Scores an endless signal, window by window, with a recurrent network.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::GRU gru(32, 128);
  torch::nn::Linear head(128, 1);
  gru->to(device);
  head->to(device);

  float score = 0;
  auto hidden = torch::zeros({1, 16, 128}, device);
  for (int window = 0; window < 100; ++window) {
    torch::NoGradGuard no_grad;
    auto signal = torch::randn({8, 16, 32}, device);
    auto result = gru->forward(signal, hidden);
    hidden = std::get<1>(result);
    score += head->forward(std::get<0>(result)).mean().item<float>();
  }
  std::cout << "score: " << score << "\n";
}
