// `do { } while (0)`, as macros have it, is no loop: what stands in it runs once.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

#define CALL(...)                                                                                  \
  do {                                                                                             \
    __VA_ARGS__;                                                                                   \
  } while (0)

Tensor next_chunk(int step);

//===-- Steps, with calls in macros ---------------------------------------===//

void of_all_steps(torch::nn::Linear net) {
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    CALL(total = total + net->forward(next_chunk(step)).sum()); // expected-warning {{'total' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

void again_and_again(torch::nn::Linear net) {
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  do {
    total = total + net->forward(next_chunk(0)).sum(); // expected-warning {{'total' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  } while (next_chunk(1).item<bool>());
}

//===-- Near misses -------------------------------------------------------===//

void once(torch::nn::Linear net) {
  Tensor total = torch::zeros({1});
  CALL(total = total + net->forward(next_chunk(0)).sum());
  do {
    total = total + net->forward(next_chunk(1)).sum();
    if (total.item<float>() > 0)
      break;
    total = total + net->forward(next_chunk(2)).sum();
  } while (false);
}

void each_step_anew(torch::nn::Linear net) {
  for (int step = 0; step < 1000; ++step) {
    Tensor total = torch::zeros({1});
    CALL(total = total + net->forward(next_chunk(step)).sum());
  }
}
