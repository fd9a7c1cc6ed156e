// A list that is swapped with one that is new in the round, or exchanged for an empty one, is empty
// afterwards; one that is swapped with another that lasts is not.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <utility>
#include <vector>

using torch::Tensor;

Tensor next_batch();

static void learn(torch::optim::SGD &optimizer, const std::vector<Tensor> &losses) {
  optimizer.zero_grad();
  torch::stack(losses).sum().backward();
  optimizer.step();
}

void swapped_by_a_method(torch::nn::Linear net, torch::optim::SGD &optimizer, int n) {
  std::vector<Tensor> losses;
  for (int i = 0; i < n; ++i) {
    losses.push_back(net(next_batch()).mean());
    if (i % 8 == 7) {
      std::vector<Tensor> batch;
      batch.swap(losses);
      learn(optimizer, batch);
    }
  }
}

void swapped_by_a_function(torch::nn::Linear net, torch::optim::SGD &optimizer, int n) {
  std::vector<Tensor> losses;
  for (int i = 0; i < n; ++i) {
    losses.push_back(net(next_batch()).mean());
    if (i % 8 == 7) {
      std::vector<Tensor> batch;
      std::swap(batch, losses);
      learn(optimizer, batch);
    }
  }
}

void exchanged(torch::nn::Linear net, torch::optim::SGD &optimizer, int n) {
  std::vector<Tensor> losses;
  for (int i = 0; i < n; ++i) {
    losses.push_back(net(next_batch()).mean());
    if (i % 8 == 7) {
      auto batch = std::exchange(losses, {});
      learn(optimizer, batch);
    }
  }
}

void swapped_with_a_temporary(torch::nn::Linear net, torch::optim::SGD &optimizer, int n) {
  std::vector<Tensor> losses;
  for (int i = 0; i < n; ++i) {
    losses.push_back(net(next_batch()).mean());
    if (i % 8 == 7) {
      learn(optimizer, losses);
      std::vector<Tensor>().swap(losses);
    }
  }
}

//===-- Both last ------------------------------------------------------------------===//

void swapped_with_one_that_lasts(torch::nn::Linear net, int n) {
  std::vector<Tensor> outs, others; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    outs.push_back(net(next_batch())); // expected-warning {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    others.swap(outs);
  }
}

void not_swapped(torch::nn::Linear net, torch::optim::SGD &optimizer, int n) {
  std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    losses.push_back(net(next_batch()).mean()); // expected-note {{'losses' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    std::vector<Tensor> batch;
    batch.push_back(losses.back());
    learn(optimizer, batch);
  }
}
