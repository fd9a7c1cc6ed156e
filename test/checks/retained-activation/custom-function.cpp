// A result of a function with a backward of its own carries the graph of its arguments.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Swish : torch::autograd::Function<Swish> {
  static variable_list forward(AutogradContext *context, Tensor x) {
    context->save_for_backward({x});
    return {x * torch::sigmoid(x)};
  }
  static variable_list backward(AutogradContext *, variable_list gradients) {
    return {gradients[0]};
  }
};

void keep(torch::nn::Linear &net, const std::vector<Tensor> &batches) {
  std::vector<Tensor> outputs; // expected-path {{'outputs' is declared here and outlives the step}}
  for (const Tensor &batch : batches)
    outputs.push_back(Swish::apply(net->forward(batch)).at(0)); // expected-warning {{carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

void keep_values(torch::nn::Linear &net, const std::vector<Tensor> &batches) {
  std::vector<Tensor> outputs;
  for (const Tensor &batch : batches)
    outputs.push_back(Swish::apply(net->forward(batch)).at(0).detach());
}
