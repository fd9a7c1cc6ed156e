// A state of several tensors in an object, which a function takes and gives back.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_chunk();

struct Memory {
  Tensor read, write;
};

static Memory advance(torch::nn::GRUCell cell, const Tensor &x, const Memory &last) {
  auto h = cell->forward(x, last.read); // expected-path {{the graph starts here}}
  return {h, torch::sigmoid(h)};
}

void kept(torch::nn::GRUCell cell, torch::optim::Optimizer &optimizer) {
  Memory memory{torch::zeros({8, 64}), torch::zeros({8, 64})}; // expected-path {{'memory' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    auto next = advance(cell, next_chunk(), memory);
    auto loss = next.write.mean();
    optimizer.zero_grad();
    loss.backward({}, /*retain_graph=*/true);
    optimizer.step();
    memory = next; // expected-warning {{'memory' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  }
}

//===-- Near misses -------------------------------------------------------===//

void detached(torch::nn::GRUCell cell, torch::optim::Optimizer &optimizer) {
  Memory memory{torch::zeros({8, 64}), torch::zeros({8, 64})};
  for (int step = 0; step < 1000; ++step) {
    auto next = advance(cell, next_chunk(), memory);
    optimizer.zero_grad();
    next.write.mean().backward();
    optimizer.step();
    memory = {next.read.detach(), next.write.detach()};
  }
}

// Its own function returns it: the graph of all steps is what callers want.
Memory unrolled(torch::nn::GRUCell cell, const Tensor &sequence) {
  Memory memory{torch::zeros({8, 64}), torch::zeros({8, 64})};
  for (int64_t t = 0; t < sequence.size(0); ++t)
    memory = advance(cell, sequence[t], memory);
  return memory;
}
