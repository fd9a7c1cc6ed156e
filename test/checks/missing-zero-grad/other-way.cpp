// Gradients that are reset only in rounds that take no step.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <cmath>
#include <torch/torch.h>

void reset_where_it_skips(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    auto loss = torch::mse_loss(model->forward(x), y);
    if (!std::isfinite(loss.item<double>())) {
      optimizer.zero_grad();
      continue;
    }
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer.step(); // expected-warning {{'optimizer' steps in every round of this loop, but nothing resets its gradients}} [tensor-missing-zero-grad]
  }
}

void reset_where_it_skips_and_where_it_steps(torch::nn::Linear model, torch::Tensor x,
                                             torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    auto loss = torch::mse_loss(model->forward(x), y);
    if (!std::isfinite(loss.item<double>())) {
      optimizer.zero_grad();
      continue;
    }
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

// Each window of rounds begins with a reset.
void reset_in_some_rounds(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    if (i % 4 == 0)
      optimizer.zero_grad();
    torch::mse_loss(model->forward(x), y).backward();
    if (i % 4 == 3)
      optimizer.step();
  }
}

class Tuner {
public:
  explicit Tuner(torch::nn::Linear model) : model_(model), optimizer_(model_->parameters(), 0.1) {}
  double step(const torch::Tensor &x, const torch::Tensor &y) {
    auto loss = torch::mse_loss(model_->forward(x), y);
    const double value = loss.item<double>();
    if (!std::isfinite(value)) {
      optimizer_.zero_grad();
      return value;
    }
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer_.step(); // expected-warning {{'optimizer_' steps in every round of this loop}} [tensor-missing-zero-grad]
    return value;
  }

private:
  torch::nn::Linear model_;
  torch::optim::SGD optimizer_;
};

void tune(Tuner &tuner, const torch::Tensor &x, const torch::Tensor &y) {
  for (int i = 0; i < 100; ++i) // expected-path {{the loop is here}}
    tuner.step(x, y); // expected-path {{called here in every round}}
}
