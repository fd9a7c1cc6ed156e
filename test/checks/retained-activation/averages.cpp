// An average of parameters that is written in place: each step adds autograd nodes to it, and the
// numbers stay as many as they are.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

using torch::Tensor;

/// One tensor for all.
void ofAll(torch::nn::Linear net, torch::optim::SGD &opt) {
  auto sum = torch::zeros({64, 64}); // expected-path {{'sum' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    net->forward(torch::rand({64, 64})).sum().backward();
    opt.step();
    for (auto &p : net->parameters())
      sum.add_(p, 0.1); // expected-note {{'sum' (declared outside the loop) is written in place with a tensor that requires grad}} [tensor-retained-activation]
  }
}

/// One for each.
class Average {
public:
  void update(torch::nn::Module &net) {
    for (const auto &entry : net.named_parameters())
      Shadow.at(entry.key()).mul_(0.9).add_(entry.value(), 0.1); // expected-note {{'Shadow' (a member) is written in place with a tensor that requires grad}} [tensor-retained-activation]
  }

private:
  std::map<std::string, Tensor> Shadow; // expected-path {{'Shadow' is declared here and outlives the step}}
};

void ofEach(torch::nn::Linear net, torch::optim::SGD &opt) {
  Average average;
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    net->forward(torch::rand({64, 64})).sum().backward();
    opt.step();
    average.update(*net);
  }
}

//===-- Near misses ---------------------------------------------------------===//

void underAGuard(torch::nn::Linear net, torch::optim::SGD &opt) {
  auto sum = torch::zeros({64, 64});
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    net->forward(torch::rand({64, 64})).sum().backward();
    opt.step();
    torch::NoGradGuard guard;
    for (auto &p : net->parameters())
      sum.add_(p, 0.1);
  }
}

void ofDetached(torch::nn::Linear net, torch::optim::SGD &opt) {
  auto sum = torch::zeros({64, 64});
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    net->forward(torch::rand({64, 64})).sum().backward();
    opt.step();
    for (auto &p : net->parameters())
      sum.add_(p.detach(), 0.1);
  }
}

/// A penalty, run backward in the step.
void ofTheStep(torch::nn::Linear net, torch::optim::SGD &opt) {
  for (int i = 0; i < 100; ++i) {
    auto penalty = torch::zeros({64, 64});
    for (auto &p : net->parameters())
      penalty.add_(p, 0.1);
    opt.zero_grad();
    (net->forward(torch::rand({64, 64})).sum() + penalty.sum()).backward();
    opt.step();
  }
}

/// Once, to begin with.
void onceAtTheBeginning(torch::nn::Linear net, torch::optim::SGD &opt) {
  auto sum = torch::zeros({64, 64});
  for (auto &p : net->parameters())
    sum.add_(p, 0.1);
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    net->forward(torch::rand({64, 64})).sum().backward();
    opt.step();
  }
}
