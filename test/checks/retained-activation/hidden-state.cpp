// Hidden state that drags the graph of all earlier steps along (row 8).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_chunk(int step);

// Runs for ever and never goes backward.
void stream(torch::nn::GRU gru) {
  auto h = torch::zeros({1, 16, 128}); // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    auto result = gru->forward(next_chunk(step), h); // expected-path {{the graph starts here}}
    h = std::get<1>(result); // expected-warning {{h}} [tensor-retained-activation]
  }
}

void stream_tied(torch::nn::GRU gru) {
  Tensor out, h = torch::zeros({1, 16, 128}); // expected-path {{'h' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    std::tie(out, h) = gru->forward(next_chunk(step), h); // expected-warning {{h}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

class Decoder {
public:
  Tensor step(Tensor x) {
    state_ = cell_->forward(x, state_); // expected-warning {{state_}} [tensor-retained-activation] expected-path {{the graph starts here}}
    return state_;
  }

private:
  torch::nn::GRUCell cell_{32, 32};
  Tensor state_ = torch::zeros({1, 32}); // expected-path {{'state_' is declared here and outlives the step}}
};

//===-- Near misses -------------------------------------------------------===//

void detached(torch::nn::GRU gru) {
  auto h = torch::zeros({1, 16, 128});
  for (int step = 0; step < 1000; ++step) {
    auto result = gru->forward(next_chunk(step), h);
    h = std::get<1>(result).detach();
  }
}

void detached_in_place_on_the_next_line(torch::nn::GRU gru) {
  auto h = torch::zeros({1, 16, 128});
  for (int step = 0; step < 1000; ++step) {
    auto result = gru->forward(next_chunk(step), h);
    h = std::get<1>(result);
    h.detach_();
  }
}

void detached_at_the_head_of_the_loop(torch::nn::LSTM lstm, torch::optim::Optimizer &optimizer) {
  Tensor out;
  auto h = torch::zeros({1, 16, 128}), c = torch::zeros({1, 16, 128});
  for (int step = 0; step < 1000; ++step) {
    auto state = std::make_tuple(h.detach(), c.detach());
    std::tuple<Tensor, Tensor> next;
    std::tie(out, next) = lstm->forward(next_chunk(step), state);
    std::tie(h, c) = next;
    optimizer.zero_grad();
    out.mean().backward();
    optimizer.step();
  }
}

void under_a_guard(torch::nn::GRU gru) {
  torch::InferenceMode inference;
  auto h = torch::zeros({1, 16, 128});
  for (int step = 0; step < 1000; ++step)
    h = std::get<1>(gru->forward(next_chunk(step), h));
}

// Truncated backpropagation: the inner loop's graph is wanted, and ends at its end.
void truncated(torch::nn::GRU gru, torch::optim::Optimizer &optimizer) {
  auto h = torch::zeros({1, 16, 128});
  for (int chunk = 0; chunk < 100; ++chunk) {
    h = h.detach();
    Tensor out;
    for (int t = 0; t < 20; ++t)
      std::tie(out, h) = gru->forward(next_chunk(t), h);
    optimizer.zero_grad();
    out.mean().backward();
    optimizer.step();
  }
}

// Unrolled over one sequence inside a forward pass: that is what a graph is for.
struct UnrolledImpl : torch::nn::Module {
  UnrolledImpl() : cell(register_module("cell", torch::nn::GRUCell(32, 64))) {}
  Tensor forward(Tensor sequence) {
    auto h = torch::zeros({sequence.size(1), 64});
    for (int64_t t = 0; t < sequence.size(0); ++t)
      h = cell->forward(sequence[t], h);
    return h;
  }
  torch::nn::GRUCell cell;
};
TORCH_MODULE(Unrolled);
