// Trains with a batch four times as large as fits: gradients of four micro-batches
// are meant to add up before each update.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(7);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  torch::nn::Sequential model(torch::nn::Linear(64, 512), torch::nn::Tanh(),
                              torch::nn::Linear(512, 16));
  auto teacher = torch::randn({64, 16}, device) * 0.1;
  model->to(device);
  torch::optim::AdamW optimizer(model->parameters(), 1e-3);

  constexpr int accumulate = 4;
  float last = 0;
  for (int step = 0; step < 320; ++step) {
    if (step % accumulate == 0)
      optimizer.zero_grad();
    auto inputs = torch::randn({64, 64}, device);
    auto targets = torch::matmul(inputs, teacher);
    auto loss = torch::mse_loss(model->forward(inputs), targets) / accumulate;
    loss.backward();
    if ((step + 1) % accumulate == 0)
      optimizer.step();
    last = loss.item<float>() * accumulate;
  }
  std::cout << "loss: " << last << "\n";
}
