// A closure that has captured `this` and is handed to the optimizer resets what the object has: the
// members that it names are those of the method that it is written in.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

class Named {
public:
  void fit(int steps) {
    auto closure = [this]() {
      opt_.zero_grad();
      return residual();
    };
    for (int i = 0; i < steps; ++i)
      opt_.step(closure);
  }

private:
  torch::Tensor residual() {
    auto loss = net_->forward(torch::ones({4, 8})).sum();
    loss.backward();
    return loss;
  }
  torch::nn::Linear net_{8, 1};
  torch::optim::SGD opt_{net_->parameters(), 0.1};
};

class InPlace {
public:
  void fit(int steps) {
    for (int i = 0; i < steps; ++i)
      opt_.step([this]() {
        opt_.zero_grad();
        auto loss = net_->forward(torch::ones({4, 8})).sum();
        loss.backward();
        return loss;
      });
  }

private:
  torch::nn::Linear net_{8, 1};
  torch::optim::SGD opt_{net_->parameters(), 0.1};
};

class Forgets {
public:
  void fit(int steps) {
    auto closure = [this]() { return residual(); };
    for (int i = 0; i < steps; ++i) // expected-path {{the loop is here}}
      opt_.step(closure); // expected-warning {{'opt_' steps in every round of this loop, but nothing resets its gradients}} [tensor-missing-zero-grad]
  }

private:
  torch::Tensor residual() {
    auto loss = net_->forward(torch::ones({4, 8})).sum();
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    return loss;
  }
  torch::nn::Linear net_{8, 1};
  torch::optim::SGD opt_{net_->parameters(), 0.1};
};

// The closure resets another optimizer than the one that steps.
class ResetsOther {
public:
  void fit(int steps) {
    for (int i = 0; i < steps; ++i) // expected-path {{the loop is here}}
      opt_.step([this]() { // expected-warning {{'opt_' steps in every round of this loop, but nothing resets its gradients}} [tensor-missing-zero-grad]
        other_.zero_grad();
        auto loss = net_->forward(torch::ones({4, 8})).sum();
        loss.backward(); // expected-path {{gradients are added to the old ones here}}
        return loss;
      });
  }

private:
  torch::nn::Linear net_{8, 1}, second_{8, 1};
  torch::optim::SGD opt_{net_->parameters(), 0.1};
  torch::optim::SGD other_{second_->parameters(), 0.1};
};
