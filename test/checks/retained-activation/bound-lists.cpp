// What an optimizer is given requires gradients, wherever it was made.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;
using Tensors = std::vector<Tensor>;

Tensors initialized() {
  Tensors weights{torch::randn({16, 64}), torch::zeros({64})};
  for (Tensor &each : weights)
    each.requires_grad_(true);
  return weights;
}

class Average {
public:
  explicit Average(const Tensors &of) {
    for (const Tensor &each : of)
      kept_.push_back(each.detach().clone());
  }
  void follow(const Tensors &weights) {
    for (size_t i = 0; i < weights.size(); ++i)
      kept_[i] = 0.9 * kept_[i] + 0.1 * weights[i]; // expected-note {{'kept_' (a member) is computed from itself and still carries its graph; the autograd nodes of every step stay alive}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  void follow_without_grad(const Tensors &weights) {
    torch::NoGradGuard guard;
    for (size_t i = 0; i < weights.size(); ++i)
      kept_[i] = 0.9 * kept_[i] + 0.1 * weights[i];
  }

private:
  Tensors kept_; // expected-path {{'kept_' is declared here and outlives the step}}
};

/// Nothing says that these have gradients.
class OfData {
public:
  explicit OfData(const Tensors &of) : kept_(of) {}
  void follow(const Tensors &data) {
    for (size_t i = 0; i < data.size(); ++i)
      kept_[i] = 0.9 * kept_[i] + 0.1 * data[i];
  }

private:
  Tensors kept_;
};

int main() {
  Tensors weights = initialized(), data{torch::randn({16, 64})};
  Average average(weights);
  OfData means(data);
  torch::optim::SGD optimizer(weights, 0.05);
  for (int step = 0; step < 400; ++step) {
    optimizer.zero_grad();
    Tensor loss = torch::matmul(torch::randn({4, 16}), weights[0]).sum();
    loss.backward();
    optimizer.step();
    average.follow(weights); // expected-path {{called here in every step}}
    average.follow_without_grad(weights);
    means.follow(data);
  }
}
