// Lists that are filled together where one of them is empty.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

class Anchors {
public:
  void consolidate(torch::nn::Linear net) {
    auto params = net->parameters();
    const bool is_first = anchors_.empty();
    for (size_t i = 0; i < params.size(); ++i) {
      if (is_first) {
        anchors_.push_back(params[i].detach().clone());
        weights_.push_back(torch::zeros_like(params[i]));
      } else {
        anchors_[i].copy_(params[i].detach());
        weights_[i].mul_(0.9);
      }
    }
  }
  float first() const { return anchors_[0].sum().item<float>() + weights_[0].sum().item<float>(); }

private:
  std::vector<Tensor> anchors_, weights_;
};

// What is asked about here is another list, and does not grow.
class Log {
public:
  explicit Log(std::vector<Tensor> marks) : marks_(marks) {}
  void add(torch::nn::Linear net, Tensor x) {
    torch::NoGradGuard no_grad;
    const bool has_marks = !marks_.empty();
    if (has_marks)
      rows_.push_back(net->forward(x)); // expected-warning {{'rows_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  Tensor last() const { return rows_.back(); }

private:
  std::vector<Tensor> marks_;
  std::vector<Tensor> rows_; // expected-path {{'rows_' is declared here and outlives the step}}
};

// The other branch is for when the list is full.
class Pool {
public:
  void add(torch::nn::Linear net, Tensor x) {
    torch::NoGradGuard no_grad;
    if (images_.size() < 8)
      images_.push_back(net->forward(x));
    else
      others_.push_back(net->forward(x)); // expected-warning {{'others_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  Tensor last() const { return images_.back() + others_.back(); }

private:
  std::vector<Tensor> images_;
  std::vector<Tensor> others_; // expected-path {{'others_' is declared here and outlives the step}}
};

int main() {
  torch::nn::Linear net(8, 8);
  Pool pool;
  Anchors anchors;
  Log log({torch::ones({1})});
  for (int i = 0; i < 100; ++i) {
    anchors.consolidate(net);
    log.add(net, torch::ones({4, 8}));
    pool.add(net, torch::ones({4, 8}));
  }
  anchors.first();
  log.last();
  pool.last();
}
