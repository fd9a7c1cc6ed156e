// A state of several tensors in an object, which a function takes and gives back.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <optional>

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

// The same where it is made when it is first asked for.
static Memory boxed(torch::nn::GRUCell cell, const Tensor &x, const Memory &last) {
  auto h = cell->forward(x, last.read); // expected-path {{the graph starts here}}
  return {h, torch::sigmoid(h)};
}

void kept_in_a_box(torch::nn::GRUCell cell, torch::optim::Optimizer &optimizer) {
  std::optional<Memory> memory; // expected-path {{'memory' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    if (!memory)
      memory = Memory{torch::zeros({8, 64}), torch::zeros({8, 64})};
    auto next = boxed(cell, next_chunk(), *memory);
    auto loss = next.write.mean();
    optimizer.zero_grad();
    loss.backward({}, /*retain_graph=*/true);
    optimizer.step();
    memory = next; // expected-warning {{'memory' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  }
}

//===-- Near misses -------------------------------------------------------===//

void detached_in_a_box(torch::nn::GRUCell cell, torch::optim::Optimizer &optimizer) {
  std::optional<Memory> memory;
  for (int step = 0; step < 1000; ++step) {
    if (!memory)
      memory = Memory{torch::zeros({8, 64}), torch::zeros({8, 64})};
    auto next = advance(cell, next_chunk(), *memory);
    optimizer.zero_grad();
    next.write.mean().backward();
    optimizer.step();
    memory = Memory{next.read.detach(), next.write.detach()};
  }
}

// Its own function returns it.
std::optional<Memory> unrolled_in_a_box(torch::nn::GRUCell cell, const Tensor &sequence) {
  std::optional<Memory> memory = Memory{torch::zeros({8, 64}), torch::zeros({8, 64})};
  for (int64_t t = 0; t < sequence.size(0); ++t)
    memory = advance(cell, sequence[t], *memory);
  return memory;
}

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
