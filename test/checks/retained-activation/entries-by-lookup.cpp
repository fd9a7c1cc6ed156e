// An entry that `find` or `at` gives is the one under that name again in the next step.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <string>

using torch::Tensor;

class Average {
public:
  void update(const torch::nn::Module &model) {
    for (const auto &item : model.named_parameters()) {
      auto it = found_.find(item.key());
      if (it == found_.end())
        continue;
      it->second = it->second * 0.9 + item.value() * 0.1; // expected-note {{'found_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
      at_.at(item.key()) = at_.at(item.key()) * 0.9 + item.value() * 0.1; // expected-note {{'at_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
    }
  }

  // Near misses: without a graph, of another entry, and under a name that counts on.
  void update_values(const torch::nn::Module &model) {
    for (const auto &item : model.named_parameters()) {
      values_.at(item.key()) = values_.at(item.key()) * 0.9 + item.value().detach() * 0.1;
      others_.at(item.key()) = found_.at(item.key()) * 0.9 + item.value().detach() * 0.1;
    }
    for (const auto &p : model.parameters()) {
      counted_.at(next_) = counted_.at(next_) * 0.9 + p * 0.1;
      ++next_;
    }
  }

private:
  std::map<std::string, Tensor> found_, at_, values_, others_; // expected-path {{'found_' is declared here and outlives the step}} expected-path {{'at_' is declared here and outlives the step}}
  std::map<int, Tensor> counted_;
  int next_ = 0;
};

void train(torch::nn::Linear net, torch::optim::Optimizer &optimizer, Tensor x) {
  Average average;
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    net->forward(x).sum().backward();
    optimizer.step();
    average.update(*net);
    average.update_values(*net);
  }
}
