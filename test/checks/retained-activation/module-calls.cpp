// A module of the program's own, called by its holder: `net(x)` runs the forward() in view.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct NormImpl : torch::nn::Module {
  Tensor weight, running; // expected-path {{'running' is declared here and outlives the step}}
  explicit NormImpl(int n) {
    weight = register_parameter("weight", torch::ones({n}));
    running = register_buffer("running", torch::zeros({n}));
  }
  Tensor forward(Tensor x) {
    auto mean = x.mean(0);
    running = 0.9 * running + 0.1 * mean; // expected-warning {{'running' (a member) is computed from itself}} [tensor-retained-activation]
    return weight * (x - mean);
  }
};
TORCH_MODULE(Norm);

struct CleanNormImpl : torch::nn::Module {
  Tensor weight, running;
  explicit CleanNormImpl(int n) {
    weight = register_parameter("weight", torch::ones({n}));
    running = register_buffer("running", torch::zeros({n}));
  }
  Tensor forward(Tensor x) {
    auto mean = x.mean(0);
    running = 0.9 * running + 0.1 * mean.detach();
    return weight * (x - mean);
  }
};
TORCH_MODULE(CleanNorm);

struct NetImpl : torch::nn::Module {
  torch::nn::Linear in{nullptr};
  Norm norm{nullptr};
  CleanNorm clean{nullptr};
  NetImpl() {
    in = register_module("in", torch::nn::Linear(8, 8));
    norm = register_module("norm", Norm(8));
    clean = register_module("clean", CleanNorm(8));
  }
  Tensor forward(Tensor x) { return clean(norm(in(x))); } // expected-path {{the graph starts here}} expected-path {{called here in every step}}
};
TORCH_MODULE(Net);

void train() {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    net(torch::randn({4, 8})).mean().backward();
    optimizer.step();
  }
}

//===-- A module that runs without grad of its own accord -------------------===//

struct QuietImpl : torch::nn::Module {
  torch::nn::Linear in{nullptr};
  QuietImpl() { in = register_module("in", torch::nn::Linear(8, 8)); }
  Tensor forward(Tensor x) {
    torch::NoGradGuard guard;
    return in(x);
  }
};
TORCH_MODULE(Quiet);

float infer(Quiet quiet, Net net) {
  std::vector<Tensor> results, others; // expected-path {{'others' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    results.push_back(quiet(torch::randn({4, 8})));
  for (int i = 0; i < 100; ++i)
    others.push_back(net(torch::randn({4, 8}))); // expected-warning {{what is added to 'others' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return results.back().sum().item<float>() + others.back().sum().item<float>();
}
