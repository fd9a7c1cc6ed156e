// A network that is frozen for some epochs and thawed for the others.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

int main() {
  torch::nn::Linear net(8, 8), fixed(8, 8);
  for (auto &p : fixed->parameters())
    p.requires_grad_(false);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (auto &p : net->parameters())
      if (epoch < 2)
        p.set_requires_grad(false);
    for (auto &p : net->parameters())
      if (epoch >= 2)
        p.set_requires_grad(true);
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      net->forward(fixed->forward(next_batch())).sum().backward();
      optimizer.step();
    }
    net->eval(); // expected-path {{'eval()' does not turn grad mode off}}
    for (int i = 0; i < 100; ++i)
      consume(net->forward(next_batch()).sum().item<float>()); // expected-warning {{'net'}} [tensor-missing-no-grad]
    for (int i = 0; i < 100; ++i)
      consume(fixed->forward(next_batch()).sum().item<float>());
  }
}
