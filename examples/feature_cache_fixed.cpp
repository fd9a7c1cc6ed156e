// An encoder that keeps its hidden layers at hand, for a later look at them.
#include <torch/torch.h>

#include <iostream>
#include <vector>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl()
      : first(register_module("first", torch::nn::Linear(64, 1024))),
        second(register_module("second", torch::nn::Linear(1024, 16))) {}

  torch::Tensor forward(torch::Tensor x) {
    features.clear();
    auto hidden = torch::relu(first->forward(x));
    features.push_back(hidden);
    return second->forward(hidden);
  }

  torch::nn::Linear first, second;
  std::vector<torch::Tensor> features;
};
TORCH_MODULE(Encoder);

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  Encoder encoder;
  encoder->to(device);
  torch::optim::SGD optimizer(encoder->parameters(), 0.01);
  for (int step = 0; step < 100; ++step) {
    auto inputs = torch::randn({128, 64}, device);
    optimizer.zero_grad();
    auto loss = encoder->forward(inputs).pow(2).mean();
    loss.backward();
    optimizer.step();
  }
  std::cout << "mean activation: " << encoder->features.back().mean().item<float>() << "\n";
}
