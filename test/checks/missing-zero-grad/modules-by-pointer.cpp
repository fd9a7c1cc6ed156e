// Modules whose pointers stand in a list, from which an optimizer may get their parameters.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <initializer_list>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

Tensor next_batch();

class Gathered {
public:
  Gathered() : cell_(8, 8), head_(8, 1), optimizer_(gather(), 0.1) {}
  void step() {
    Tensor loss = head_->forward(cell_->forward(next_batch())).mean();
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }

private:
  std::vector<Tensor> gather() {
    std::vector<Tensor> all;
    using Modules = std::initializer_list<torch::nn::Module *>;
    for (torch::nn::Module *each : Modules{cell_.get(), head_.get()})
      for (Tensor &p : each->parameters())
        all.push_back(p);
    return all;
  }
  torch::nn::Linear cell_, head_;
  torch::optim::SGD optimizer_;
};

class Forgotten {
public:
  Forgotten() : cell_(8, 8), head_(8, 1), optimizer_(head_->parameters(), 0.1) {}
  void step() {
    Tensor loss = head_->forward(cell_->forward(next_batch())).mean(); // expected-note {{'cell_' is in no optimizer}} [tensor-missing-zero-grad]
    optimizer_.zero_grad();
    loss.backward(); // expected-path {{gradients are added here}}
    optimizer_.step();
  }

private:
  torch::nn::Linear cell_, head_;
  torch::optim::SGD optimizer_;
};

int main() {
  Gathered gathered;
  Forgotten forgotten;
  for (int i = 0; i < 100; ++i) {
    gathered.step();
    forgotten.step();
  }
}
