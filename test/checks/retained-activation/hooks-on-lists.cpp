// Hooks on each tensor of a list, hung on again in every step.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

class Clipper {
public:
  explicit Clipper(torch::nn::Module &module) {
    for (auto &each : module.parameters())
      weights_.push_back(each);
  }
  void begin() {
    for (size_t i = 0; i < weights_.size(); ++i)
      weights_[i].register_hook([](Tensor grad) { return grad.clamp(-1, 1); }); // expected-note {{'weights_' (a member) gets one more hook in every step}} [tensor-retained-activation]
  }

private:
  std::vector<Tensor> weights_; // expected-path {{'weights_' is declared here and outlives the step}}
};

// Once for each object.
class ClipperOnce {
public:
  explicit ClipperOnce(torch::nn::Module &module) {
    for (auto &each : module.parameters())
      weights_.push_back(each);
    for (size_t i = 0; i < weights_.size(); ++i)
      weights_[i].register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
  }
  size_t size() const { return weights_.size(); }

private:
  std::vector<Tensor> weights_;
};

int main() {
  torch::nn::Linear net(8, 8);
  Clipper clipper(*net);
  ClipperOnce once(*net);
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    clipper.begin(); // expected-path {{called here in every step}}
    opt.zero_grad();
    std::vector<Tensor> stages; // made anew, with its hooks
    for (int i = 0; i < 4; ++i)
      stages.push_back(net->forward(torch::rand({8, 8})));
    for (size_t i = 0; i < stages.size(); ++i)
      stages[i].register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
    torch::stack(stages).sum().backward();
    opt.step();
  }
  return once.size() == 0;
}

//===-- A local handle is the same tensor ------------------------------------------===//

class Freezer {
public:
  void step(Tensor mask) {
    auto weight = layer_->weight;
    weight.register_hook([mask](Tensor grad) { return grad * mask; }); // expected-warning {{'weight' (a member) gets one more hook in every step}} [tensor-retained-activation]
  }
  /// Another tensor by the time that the hook is hung on.
  void scaled(Tensor mask) {
    auto weight = layer_->weight;
    weight = weight * 2;
    weight.register_hook([mask](Tensor grad) { return grad * mask; });
    layer_->forward(weight).sum().backward();
  }

private:
  torch::nn::Linear layer_{8, 8};
};

void freeze(Freezer &freezer) {
  for (int i = 0; i < 100; ++i) {
    freezer.step(torch::ones({8, 8})); // expected-path {{called here in every step}}
    freezer.scaled(torch::ones({8, 8}));
  }
}
