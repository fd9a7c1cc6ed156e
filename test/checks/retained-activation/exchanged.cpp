// Tensors that change by std::swap and std::exchange.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <utility>

using torch::Tensor;

Tensor next_chunk(int step);

void swapped_in(torch::nn::GRUCell cell) {
  Tensor h = torch::zeros({1, 64}); // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    auto next = cell->forward(next_chunk(step), h); // expected-path {{the graph starts here}}
    std::swap(h, next); // expected-warning {{'h' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  }
}

void exchanged(torch::nn::GRUCell cell) {
  Tensor h = torch::zeros({1, 64}); // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    (void)std::exchange(h, cell->forward(next_chunk(step), h)); // expected-warning {{'h' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

//===-- Near misses -------------------------------------------------------===//

void swapped_without_graph(torch::nn::GRUCell cell) {
  Tensor h = torch::zeros({1, 64});
  for (int step = 0; step < 1000; ++step) {
    auto next = cell->forward(next_chunk(step), h).detach();
    std::swap(h, next);
  }
}

void exchanged_without_graph(torch::nn::GRUCell cell) {
  Tensor h = torch::zeros({1, 64});
  for (int step = 0; step < 1000; ++step)
    (void)std::exchange(h, cell->forward(next_chunk(step), h.detach()));
}

// What the other one has then is not known.
void swapped_out(torch::nn::GRUCell cell, Tensor other) {
  Tensor h = torch::zeros({1, 64});
  for (int step = 0; step < 1000; ++step) {
    std::swap(other, h);
    h = cell->forward(next_chunk(step), h);
    h = h.detach();
  }
}
