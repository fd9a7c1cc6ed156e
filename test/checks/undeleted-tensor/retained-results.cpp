// A backward pass that retains the graph leaves the result of the last round with all it has.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_input();

void retained(torch::nn::Linear net) {
  Tensor loss; // expected-path {{'loss' is declared here}}
  for (int i = 0; i < 100; ++i) {
    loss = net->forward(next_input()).sum(); // expected-note {{the result of the last round stays alive in 'loss'}} [tensor-undeleted-tensor]
    loss.backward({}, /*retain_graph=*/true);
  }
}

//===-- Near misses -----------------------------------------------------------------===//

void declared_inside(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    Tensor loss = net->forward(next_input()).sum();
    loss.backward({}, /*retain_graph=*/true);
  }
}
