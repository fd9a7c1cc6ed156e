// A graph that the program keeps when it is asked to: the other way detaches.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

std::vector<torch::Tensor> adapt(std::vector<torch::Tensor> fast, torch::Tensor x, bool second) {
  for (int i = 0; i < 5; ++i)
    for (size_t j = 0; j < fast.size(); ++j) {
      auto moved = fast[j] - x * fast[j];
      fast[j] = second ? moved : moved.detach().requires_grad_(true);
    }
  return fast;
}

torch::Tensor keep_on_demand(torch::nn::Linear model, torch::Tensor x, bool whole) {
  torch::Tensor state = torch::zeros({1, 8});
  for (int i = 0; i < 1000; ++i) {
    auto next = model->forward(x) + state;
    state = whole ? next : next.detach();
  }
  return state.sum();
}

// Another tensor on the other way is no switch.
void begin_with_zeros(torch::nn::Linear model, torch::Tensor x) {
  torch::Tensor state; // expected-path {{'state' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    auto next = model->forward(x); // expected-path {{the graph starts here}}
    state = i == 0 ? next : state + next; // expected-warning {{'state' (declared outside the loop) is computed from itself and still carries its graph}} [tensor-retained-activation]
  }
  state.zero_();
}
