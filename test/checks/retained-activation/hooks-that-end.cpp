// Hooks that loops and algorithms hang on each tensor of a list, and hooks that end with an object.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <algorithm>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

Tensor next_batch();

class Limiter {
public:
  explicit Limiter(torch::nn::Linear net)
      : net_(net), params_(net->parameters()), optimizer_(params_, 0.1) {}
  void step() {
    for (Tensor &p : params_)
      p.register_hook([](Tensor grad) { return grad.clamp(-1, 1); }); // expected-note {{'params_' (a member) gets one more hook in every step}} [tensor-retained-activation]
    install(); // expected-path {{called here in every step}}
    optimizer_.zero_grad();
    net_->forward(next_batch()).mean().backward();
    optimizer_.step();
  }

private:
  void install() {
    std::for_each(params_.begin(), params_.end(), [](Tensor &p) { // expected-path {{called here in every step}}
      p.register_hook([](Tensor grad) { return grad * 2; }); // expected-note {{'params_' (a member) gets one more hook in every step}} [tensor-retained-activation]
    });
  }
  torch::nn::Linear net_;
  std::vector<Tensor> params_; // expected-path {{'params_' is declared here and outlives the step}} expected-path {{'params_' is declared here and outlives the step}}
  torch::optim::SGD optimizer_;
};

// Other tensors in each step: their hooks go with them.
class Watcher {
public:
  explicit Watcher(torch::nn::Linear net) : net_(net), optimizer_(net->parameters(), 0.1) {}
  void step() {
    outputs_.clear();
    for (int i = 0; i < 4; ++i)
      outputs_.push_back(net_->forward(next_batch()));
    for (Tensor &each : outputs_)
      each.register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
    optimizer_.zero_grad();
    torch::stack(outputs_).mean().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_;
  std::vector<Tensor> outputs_;
  torch::optim::SGD optimizer_;
};

// Taken off by the object's end, and by nothing.
class Probe {
public:
  explicit Probe(Tensor weight) : weight_(weight) {
    handle_ = weight_.register_hook([](Tensor grad) { return grad; });
  }
  ~Probe() { weight_.remove_hook(handle_); }

private:
  Tensor weight_;
  unsigned handle_;
};
class LeftBehind {
public:
  explicit LeftBehind(Tensor weight) : weight_(weight) {
    handle_ = weight.register_hook([](Tensor grad) { return grad; }); // expected-note {{'weight' (declared outside the loop) gets one more hook in every step}} [tensor-retained-activation]
  }

private:
  Tensor weight_;
  unsigned handle_;
};

int main() {
  torch::nn::Linear net(8, 8);
  Limiter limiter(net);
  Watcher watcher(net);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto weight = torch::ones({8, 8}, torch::requires_grad()); // expected-path {{'weight' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    limiter.step(); // expected-path {{called here in every step}} expected-path {{called here in every step}}
    watcher.step();
    Probe probe(weight);
    LeftBehind left(weight); // expected-path {{called here in every step}}
    optimizer.zero_grad();
    net->forward(next_batch()).mm(weight).mean().backward();
    optimizer.step();
  }
}
