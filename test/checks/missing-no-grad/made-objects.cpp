// Results that go into an object of the user's: its methods may differentiate them.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

using torch::Tensor;

struct Distribution {
  virtual ~Distribution() = default;
  virtual Tensor log_prob(Tensor action) = 0;
};
struct Bernoulli : Distribution {
  Bernoulli(const Tensor *probabilities, const Tensor *logits);
  Tensor log_prob(Tensor action) override;
};
struct Normal : Distribution {
  Normal(Tensor location, Tensor scale);
  Tensor log_prob(Tensor action) override;
};

struct Policy : torch::nn::Module {
  std::unique_ptr<Distribution> bernoulli(Tensor x) {
    x = linear(x);
    return std::make_unique<Bernoulli>(nullptr, &x);
  }
  std::shared_ptr<Distribution> normal(Tensor x) {
    auto location = linear(x);
    auto scale = torch::ones({64});
    return std::make_shared<Normal>(location, scale);
  }
  // A tensor behind a smart pointer is still only a tensor.
  float unused(Tensor x) {
    auto result = std::make_unique<Tensor>(linear(x)); // expected-note {{what 'linear' computes here is never differentiated}} [tensor-missing-no-grad]
    return result->sum().item<float>();
  }
  torch::nn::Linear linear{nullptr};
};

struct OutputLayer : torch::nn::Module {
  virtual std::unique_ptr<Distribution> forward(Tensor x) = 0;
};

struct Agent {
  Tensor probability(Tensor x, Tensor action) {
    auto hidden = base->forward(x);
    auto distribution = output->forward(hidden);
    return distribution->log_prob(action);
  }
  torch::nn::Linear base{nullptr};
  std::shared_ptr<OutputLayer> output;
};
