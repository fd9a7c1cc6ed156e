// A reset under a condition that holds in one round of the loop alone, or in none, resets nothing
// in the others. Gradients that are gathered over several rounds are reset where they are applied.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void first_round_only(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x) {
  for (int epoch = 0; epoch < 3; ++epoch)
    for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
      if (i == 0)
        opt.zero_grad(); // expected-path {{they are reset here}}
      Tensor loss = net(x).mean();
      loss.backward(); // expected-path {{gradients are added to the old ones here}}
      opt.step(); // expected-warning {{its gradients are reset in one round alone}} [tensor-missing-zero-grad]
    }
}

void never(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x) {
  constexpr int every = 4;
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    if (i % every == every)
      opt.zero_grad(); // expected-path {{they are reset here}}
    Tensor loss = net(x).mean();
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    opt.step(); // expected-warning {{the condition under which its gradients are reset never holds}} [tensor-missing-zero-grad]
  }
}

//===-- Resets that do their work -------------------------------------------------===//

/// One step, of all rounds.
void gathered_in_a_loop(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x) {
  for (int step = 0; step < 100; ++step)
    for (int i = 0; i < 4; ++i) {
      if (i == 0)
        opt.zero_grad();
      Tensor loss = net(x).mean();
      loss.backward();
      if (i == 3)
        opt.step();
    }
}

void gathered_over_four(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x) {
  for (int i = 0; i < 100; ++i) {
    if (i % 4 == 0)
      opt.zero_grad();
    Tensor loss = net(x).mean();
    loss.backward();
    if (i % 4 == 3)
      opt.step();
  }
}

void but_the_first(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x) {
  for (int i = 0; i < 100; ++i) {
    if (i != 0)
      opt.zero_grad();
    Tensor loss = net(x).mean();
    loss.backward();
    opt.step();
  }
}

/// The outer loop counts, and the inner one steps once in each of its rounds.
void of_the_outer_loop(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x, int n) {
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < n; ++k) {
      if (k == 0)
        opt.zero_grad();
      net(x).mean().backward();
    }
    opt.step();
  }
}
