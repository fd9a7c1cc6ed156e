// Gradients that the rounds take on the way run no graph of what they sum up.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <vector>

using torch::Tensor;

Tensor next_batch();

static Tensor adapted(Tensor w, Tensor x) {
  auto loss = (w * x).sum();
  auto g = torch::autograd::grad({loss}, {w}, {}, true, true); // expected-path {{the graph starts here}}
  return w - 0.1 * g[0];
}

void meta_train(Tensor w, torch::optim::Optimizer &optimizer) {
  w.requires_grad_();
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    Tensor total = torch::zeros({1});
    for (int task = 0; task < 4; ++task)
      total = total + (adapted(w, next_batch()) * next_batch()).pow(2).sum();
    total.backward();
    optimizer.step();
  }
}

//===-- Near misses: nobody runs it afterwards --------------------------------===//

double meta_validate(Tensor w) {
  w.requires_grad_();
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (int task = 0; task < 600; ++task)
    total = total + (adapted(w, next_batch()) * next_batch()).pow(2).sum(); // expected-warning {{'total' (declared outside the loop) is computed from itself and still carries its graph}} [tensor-retained-activation]
  return total.item<double>();
}

void hidden(torch::nn::Linear net, torch::optim::Optimizer &optimizer) {
  auto h = torch::zeros({4, 8}); // expected-path {{'h' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    h = net->forward(h); // expected-warning {{'h' (declared outside the loop) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
    optimizer.zero_grad();
    h.sum().backward({}, /*retain_graph=*/true);
    optimizer.step();
  }
}
