// Gradients that are taken with create_graph carry a graph of their own; others carry none.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>
using torch::Tensor;

class Traces {
public:
  explicit Traces(torch::nn::Linear net) : net_(net), params_(net_->parameters()) {
    for (const auto &p : params_)
      traces_.push_back(torch::zeros_like(p));
  }
  void update(const Tensor &x) {
    auto value = torch::tanh(net_->forward(x)).mean();
    auto grads = torch::autograd::grad({value}, params_, {}, c10::nullopt, true); // expected-path {{the graph starts here}}
    for (size_t i = 0; i < params_.size(); ++i)
      traces_[i] = 0.9 * traces_[i] + grads[i]; // expected-warning {{'traces_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation]
    torch::NoGradGuard guard;
    for (size_t i = 0; i < params_.size(); ++i)
      params_[i].add_(traces_[i], 0.01);
  }

private:
  torch::nn::Linear net_;
  std::vector<Tensor> params_, traces_; // expected-path {{'traces_' is declared here and outlives the step}}
};

Tensor next_batch();

void local(torch::nn::Linear net) {
  Tensor x = next_batch().requires_grad_();
  Tensor sum = torch::zeros({64, 64}); // expected-path {{'sum' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    auto y = net->forward(next_batch() * x).pow(3).sum();
    sum = sum * 0.9 + torch::autograd::grad({y}, {x}, {}, c10::nullopt, true)[0]; // expected-warning {{'sum' (declared outside the loop) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  sum.add_(1);
}

//===-- Near misses -------------------------------------------------------===//

class PlainTraces {
public:
  explicit PlainTraces(torch::nn::Linear net) : net_(net), params_(net_->parameters()) {
    for (const auto &p : params_) {
      plain_.push_back(torch::zeros_like(p));
      told_.push_back(torch::zeros_like(p));
      cut_.push_back(torch::zeros_like(p));
      asked_.push_back(torch::zeros_like(p));
      unrecorded_.push_back(torch::zeros_like(p));
    }
  }
  void update(const Tensor &x, bool second) {
    auto value = torch::tanh(net_->forward(x)).mean();
    auto plain = torch::autograd::grad({value}, params_, {}, true);
    auto told = torch::autograd::grad({value}, params_, {}, true, false);
    auto asked = torch::autograd::grad({value}, params_, {}, true, second);
    auto cut = torch::autograd::grad({value}, params_, {}, true, true);
    for (size_t i = 0; i < params_.size(); ++i) {
      plain_[i] = 0.9 * plain_[i] + plain[i];
      told_[i] = 0.9 * told_[i] + told[i];
      asked_[i] = 0.9 * asked_[i] + asked[i];
      cut_[i] = 0.9 * cut_[i] + cut[i].detach();
    }
    torch::NoGradGuard guard;
    for (size_t i = 0; i < params_.size(); ++i)
      unrecorded_[i] = 0.9 * unrecorded_[i] + cut[i];
  }

private:
  torch::nn::Linear net_;
  std::vector<Tensor> params_, plain_, told_, asked_, cut_, unrecorded_;
};

// A penalty that is trained on.
void penalty(torch::nn::Linear net, torch::optim::Optimizer &optimizer) {
  for (int i = 0; i < 1000; ++i) {
    Tensor x = next_batch().requires_grad_();
    auto y = net->forward(x).pow(2).sum();
    auto grads = torch::autograd::grad({y}, {x}, {}, c10::nullopt, true);
    optimizer.zero_grad();
    (y + grads[0].norm()).backward();
    optimizer.step();
  }
}

int main() {
  torch::nn::Linear net(64, 64);
  Traces traces(net);
  PlainTraces plain(net);
  for (int i = 0; i < 1000; ++i) {
    traces.update(torch::rand({8, 64})); // expected-path {{called here in every step}}
    plain.update(torch::rand({8, 64}), i % 2);
  }
}
