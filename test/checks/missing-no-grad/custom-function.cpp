// Graphs go through functions with a backward of the user's own.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <iostream>
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

struct Net : torch::nn::Module {
  torch::nn::Linear first{nullptr}, second{nullptr};
  Tensor forward(Tensor x) {
    x = first->forward(x);
    x = Swish::apply(x).at(0);
    return second->forward(x);
  }
  Tensor hidden(Tensor x) {
    Tensor h = first->forward(x);
    h = Swish::apply(h)[0];
    return h;
  }
};

void train(torch::nn::Linear &net, torch::optim::SGD &optimizer,
           const std::vector<Tensor> &batches) {
  for (const Tensor &batch : batches) {
    Tensor out = net->forward(batch);
    optimizer.zero_grad();
    Swish::apply(out)[0].sum().backward();
    optimizer.step();
  }
}

void evaluate(torch::nn::Linear &net, const std::vector<Tensor> &batches) {
  net->eval(); // expected-path {{'eval()' does not turn grad mode off}}
  float total = 0;
  for (const Tensor &batch : batches)
    total += Swish::apply(net->forward(batch))[0].sum().item<float>(); // expected-note {{what 'net' computes here is never differentiated}} [tensor-missing-no-grad]
  std::cout << total;
}
