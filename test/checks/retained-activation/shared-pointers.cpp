// A shared pointer to tensors has copies, and what is done through another copy is not
// followed.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

void in_a_container(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    kept.push_back(net->forward(next_batch())); // expected-warning {{'kept'}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  consume(kept.size());
}

//===-- Near misses ---------------------------------------------------------===//

void emptied_through_a_copy(torch::nn::Linear net) {
  auto kept = std::make_shared<std::vector<Tensor>>();
  auto same = kept;
  for (int i = 0; i < 100; ++i) {
    same->push_back(net->forward(next_batch()));
    kept->clear();
  }
}

void differentiated_through_a_copy(torch::nn::Linear net) {
  auto kept = std::make_shared<std::vector<Tensor>>();
  auto same = kept;
  for (int i = 0; i < 100; ++i)
    same->push_back(net->forward(next_batch()));
  torch::stack(*kept).sum().backward();
}
