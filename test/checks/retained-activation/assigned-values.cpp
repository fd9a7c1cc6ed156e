// An assignment is the value that it assigns: `a = b = f(x)`, `(last = f(x)).sum()`.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void assigned_twice(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    Tensor output, copy;
    output = copy = net(torch::rand({64, 8})); // expected-path {{the graph starts here}}
    kept.push_back(output); // expected-warning {{'kept' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}

void assigned_inside(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    Tensor output;
    kept.push_back((output = net(torch::rand({64, 8}))).sum()); // expected-warning {{'kept' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}} expected-path {{the graph starts here}}
  }
}

//===-- Near misses -----------------------------------------------------------===//

void detached_between(torch::nn::Linear net) {
  std::vector<Tensor> kept;
  for (int step = 0; step < 1000; ++step) {
    Tensor output, copy;
    output = (copy = net(torch::rand({64, 8}))).detach();
    kept.push_back(output);
  }
}

void assigned_without_grad(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> kept;
  for (int step = 0; step < 1000; ++step) {
    Tensor output, copy;
    output = copy = net(torch::rand({64, 8}));
    kept.push_back(output);
  }
}
