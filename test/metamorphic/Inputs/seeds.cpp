// A program whose releases, resets and guards can be left out.
#include <torch/torch.h>

#include <vector>

double train(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  double total = 0;
  std::vector<torch::Tensor> kept;
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
    torch::Tensor loss = net(torch::ones({2, 4})).sum();
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
    kept.push_back(loss.detach());
  }
  kept.clear();
  return total;
}

float evaluate(torch::nn::Linear net) {
  torch::NoGradGuard guard;
  net->eval();
  auto *out = new torch::Tensor(net(torch::ones({2, 4})).sum());
  const float value = out->item<float>();
  delete out;
  return value;
}
