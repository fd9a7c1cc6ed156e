// Variables of static storage that a function returns by reference.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

Tensor &running() {
  static Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  return total;
}
void summed(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    loss.backward();
    optimizer.step();
    running() = running() + loss; // expected-note {{'total' (a static variable) is computed from itself}} [tensor-retained-activation]
  }
}

struct Meter {
  static Meter &get() {
    static Meter one;
    return one;
  }
  Tensor sum = torch::zeros({1}); // expected-path {{'sum' is declared here and outlives the step}}
  Tensor last = torch::zeros({1});
};
void metered(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    loss.backward();
    optimizer.step();
    Meter::get().sum += loss; // expected-note {{'sum' (a member) is written in place with a tensor that carries its graph}} [tensor-retained-activation]
    Meter::get().last = loss; // each takes the place of the one before
  }
}

// Without the graph.
Tensor &running_mean() {
  static Tensor mean = torch::zeros({1});
  return mean;
}
void summed_clean(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    Tensor loss = net->forward(next_batch()).mean();
    loss.backward();
    optimizer.step();
    running_mean() = running_mean() + loss.detach();
  }
}
