// A loss that was run backward by the function that keeps it: of its graph only the nodes stay,
// also where the object is a variable of the caller. What is kept without that stays whole.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <vector>

using torch::Tensor;

struct Fitting {
  torch::nn::Linear net{8, 8};
  torch::optim::SGD optimizer{net->parameters(), 0.1};
  std::vector<Tensor> losses;  // expected-path {{'losses' is declared here and outlives the step}}
  std::vector<Tensor> outputs; // expected-path {{'outputs' is declared here and outlives the step}}
  Tensor last;

  void epoch(Tensor x) {
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      auto output = net(x); // expected-path {{the graph starts here}}
      auto loss = output.sum();
      loss.backward();
      optimizer.step();
      losses.push_back(loss); // expected-note {{the autograd nodes of the step stay}} [tensor-retained-activation] expected-fix {{.detach()}}
      auto other = net(x); // expected-path {{the graph starts here}}
      outputs.push_back(other); // expected-warning {{every activation of the step stays}} [tensor-retained-activation] expected-fix {{.detach()}}
      last = loss;
    }
  }
};

int main() {
  Fitting fitting;
  fitting.epoch(torch::rand({4, 8}));
}
