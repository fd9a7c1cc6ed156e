// An output in the saved data of its own node, by each of the ways to put it there.
//
// REQUIRES: torch
// RUN: %check_tensor %s --real
#include <torch/torch.h>

using torch::Tensor;

struct Inserted : torch::autograd::Function<Inserted> {
  static Tensor forward(torch::autograd::AutogradContext *context, Tensor x) {
    auto y = x.exp();
    context->saved_data.insert({"y", y}); // expected-warning {{'y' is an output of this function}} [tensor-graph-cycle]
    return y;
  }
};

struct Emplaced : torch::autograd::Function<Emplaced> {
  static Tensor forward(torch::autograd::AutogradContext *context, Tensor x) {
    auto y = x.exp();
    context->saved_data.emplace("y", y); // expected-warning {{'y' is an output of this function}} [tensor-graph-cycle]
    return y;
  }
};

//===-- Near misses -------------------------------------------------------===//

struct Input : torch::autograd::Function<Input> {
  static Tensor forward(torch::autograd::AutogradContext *context, Tensor x) {
    auto y = x.exp();
    context->saved_data.insert({"x", x});
    context->saved_data.insert({"size", y.size(0)});
    return y;
  }
};

struct Detached : torch::autograd::Function<Detached> {
  static Tensor forward(torch::autograd::AutogradContext *context, Tensor x) {
    auto y = x.exp();
    context->saved_data.emplace("y", y.detach());
    return y;
  }
};
