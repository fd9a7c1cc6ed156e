// A loss that an unseen function computes. Whatever that does: what was run backward had a
// graph, or the call would have thrown.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>
using torch::Tensor;

Tensor compute_loss(const Tensor &batch);

void adds_up(std::vector<Tensor> &batches, torch::optim::Optimizer &optimizer) {
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (auto &batch : batches) {
    optimizer.zero_grad();
    Tensor loss = compute_loss(batch);
    loss.backward(); // expected-path {{the graph starts here}}
    optimizer.step();
    total += loss; // expected-note {{'total' (declared outside the loop) is written in place with a tensor that carries its graph; the autograd nodes}} [tensor-retained-activation]
  }
}

void collects(std::vector<Tensor> &batches, torch::optim::Optimizer &optimizer,
              std::vector<Tensor> &history) { // expected-path {{'history' is declared here and outlives the step}}
  for (auto &batch : batches) {
    optimizer.zero_grad();
    Tensor loss = compute_loss(batch);
    loss.backward(); // expected-path {{the graph starts here}}
    optimizer.step();
    history.push_back(loss); // expected-note {{what is added to 'history' (the caller's) still carries its graph}} [tensor-retained-activation]
  }
}

// On the way that trains it has one.
void adds_where_it_trains(std::vector<Tensor> &batches, bool training) {
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (auto &batch : batches) {
    Tensor loss = compute_loss(batch);
    if (training)
      loss.backward(); // expected-path {{the graph starts here}}
    total += loss; // expected-note {{'total' (declared outside the loop) is written in place with a tensor that carries its graph}} [tensor-retained-activation]
  }
}

//===-- Near misses ---------------------------------------------------------===//

void adds_numbers(std::vector<Tensor> &batches, torch::optim::Optimizer &optimizer) {
  double total = 0;
  for (auto &batch : batches) {
    optimizer.zero_grad();
    Tensor loss = compute_loss(batch);
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
  }
}

void adds_detached(std::vector<Tensor> &batches, torch::optim::Optimizer &optimizer) {
  Tensor total = torch::zeros({1});
  for (auto &batch : batches) {
    optimizer.zero_grad();
    Tensor loss = compute_loss(batch);
    loss.backward();
    optimizer.step();
    total += loss.detach();
  }
}

// What never ran backward may have no graph.
void adds_unknown(std::vector<Tensor> &batches) {
  Tensor total = torch::zeros({1});
  for (auto &batch : batches) {
    Tensor loss = compute_loss(batch);
    total += loss;
  }
}

// Another tensor takes its name after the backward pass.
void adds_another(std::vector<Tensor> &batches, torch::optim::Optimizer &optimizer) {
  Tensor total = torch::zeros({1});
  for (auto &batch : batches) {
    optimizer.zero_grad();
    Tensor loss = compute_loss(batch);
    loss.backward();
    optimizer.step();
    loss = compute_loss(batch);
    total += loss;
  }
}
