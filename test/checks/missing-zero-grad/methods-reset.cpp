// The same with a reset, wherever it is in the class.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

class ResetsTheOptimizer {
public:
  void step(Tensor x) {
    optimizer_.zero_grad();
    net_->forward(x).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

class ResetsInAnotherMethod {
public:
  void begin() { net_->zero_grad(); }
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

class ResetsByHand {
public:
  void begin() {
    for (auto &p : net_->parameters())
      p.mutable_grad() = Tensor();
  }
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

class ResetsInAClosure {
public:
  void step(Tensor x) {
    optimizer_.step([&] {
      optimizer_.zero_grad();
      auto loss = net_->forward(x).sum();
      loss.backward();
      return loss;
    });
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::LBFGS optimizer_{net_->parameters(), 0.1};
};
