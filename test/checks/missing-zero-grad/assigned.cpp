// Gradients that are assigned in every round are no sums; those that are computed from the old
// ones are.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor batch(int i);

void by_autograd(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 10; ++i) {
    auto grads = torch::autograd::grad({net(batch(i)).sum()}, net->parameters());
    auto parameters = net->parameters();
    for (size_t k = 0; k < parameters.size(); ++k)
      parameters[k].mutable_grad() = grads[k];
    optimizer.step();
  }
}

void beside_backward(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 10; ++i) {
    auto loss = net(batch(i)).sum();
    for (auto &p : net->parameters())
      p.mutable_grad() = torch::zeros_like(p);
    loss.backward();
    optimizer.step();
  }
}

void clipped(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 10; ++i) { // expected-path {{the loop is here}}
    auto loss = net(batch(i)).sum();
    loss.backward(); // expected-path {{added to the old ones here}}
    for (auto &p : net->parameters())
      p.mutable_grad() = p.grad().clamp(-1, 1).detach();
    optimizer.step(); // expected-warning {{nothing resets its gradients}} [tensor-missing-zero-grad]
  }
}

void clipped_by_steps(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 10; ++i) { // expected-path {{the loop is here}}
    auto loss = net(batch(i)).sum();
    loss.backward(); // expected-path {{added to the old ones here}}
    for (auto &p : net->parameters()) {
      auto small = p.grad().detach() * 0.5;
      p.mutable_grad() = small;
    }
    optimizer.step(); // expected-warning {{nothing resets its gradients}} [tensor-missing-zero-grad]
  }
}
