// A forward pass that hangs its hooks on again, wherever the module is trained.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct TowerImpl : torch::nn::Module {
  TowerImpl() { fc = register_module("fc", torch::nn::Linear(8, 8)); }
  Tensor forward(Tensor x) {
    if (is_training())
      clip(fc->weight);
    return fc(x);
  }
  void clip(const Tensor &weight) {
    const double most = limit;
    weight.register_hook([most](Tensor grad) { return grad.clamp(-most, most); }); // expected-note {{'weight' (a member) gets one more hook in every step}} [tensor-retained-activation]
  }
  torch::nn::Linear fc{nullptr};
  double limit = 0.1;
};
TORCH_MODULE(Tower);

struct EarlyImpl : torch::nn::Module {
  EarlyImpl() { fc = register_module("fc", torch::nn::Linear(8, 8)); }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    if (!is_training())
      return y;
    fc->weight.register_hook([](Tensor grad) { return grad.clamp(-1, 1); }); // expected-note {{'weight' (a member) gets one more hook in every step}} [tensor-retained-activation]
    return y;
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Early);

// It is asked whether that was done.
struct OnceImpl : torch::nn::Module {
  OnceImpl() { fc = register_module("fc", torch::nn::Linear(8, 8)); }
  Tensor forward(Tensor x) {
    if (is_training() && !hooked) {
      fc->weight.register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
      hooked = true;
    }
    return fc(x);
  }
  torch::nn::Linear fc{nullptr};
  bool hooked = false;
};
TORCH_MODULE(Once);

// What a forward pass computes takes its hooks along.
struct OutputImpl : torch::nn::Module {
  OutputImpl() { fc = register_module("fc", torch::nn::Linear(8, 8)); }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    if (is_training())
      y.register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
    return y;
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Output);

template <typename Net> static void train(Net &net, int n) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < n; ++i) {
    optimizer.zero_grad();
    net->forward(torch::rand({4, 8})).sum().backward(); // expected-path 2 {{called here in every step}}
    optimizer.step();
  }
}

int main() {
  Tower tower;
  Early early;
  Once once;
  Output output;
  train(tower, 10);
  train(early, 10);
  train(once, 10);
  train(output, 10);
}
