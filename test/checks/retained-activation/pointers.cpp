// A pointer that always points to one variable is that variable by another name.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void fill(Tensor *t);

static double total(torch::nn::Linear net) {
  Tensor sum = torch::zeros({}); // expected-path {{'sum' is declared here}}
  Tensor *p = &sum;
  for (int i = 0; i < 100; ++i)
    *p = *p + net(torch::rand({4, 8})).sum(); // expected-warning {{'sum' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return p->item<double>();
}
static double first_round(torch::nn::Linear net) {
  Tensor sum; // expected-path {{'sum' is declared here}}
  auto *const p = &sum;
  for (int i = 0; i < 100; ++i) {
    auto loss = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    if (!p->defined())
      *p = loss;
    else
      *p = *p + loss; // expected-warning {{'sum' (declared outside the loop)}} [tensor-retained-activation]
  }
  return sum.item<double>();
}
static void advance(torch::nn::GRUCell cell, Tensor *h) { *h = cell(torch::rand({1, 8}), *h); } // expected-warning {{'state' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
static double of_a_callee(torch::nn::GRUCell cell) {
  Tensor state = torch::zeros({1, 8}); // expected-path {{'state' is declared here}}
  for (int i = 0; i < 100; ++i)
    advance(cell, &state); // expected-path {{called here in every step}}
  return state.sum().item<double>();
}

//===-- Near misses --------------------------------------------------------===//

static double begins_anew(torch::nn::Linear net) {
  Tensor sum = torch::zeros({});
  Tensor *p = &sum;
  double all = 0;
  for (int i = 0; i < 100; ++i) {
    *p = *p + net(torch::rand({4, 8})).sum();
    if (i % 10 == 9) {
      all += p->item<double>();
      *p = torch::zeros({});
    }
  }
  return all;
}
static double detached(torch::nn::Linear net) {
  Tensor sum = torch::zeros({});
  Tensor *p = &sum;
  for (int i = 0; i < 100; ++i)
    *p = *p + net(torch::rand({4, 8})).sum().detach();
  return sum.item<double>();
}
// Which of the two it is cannot be told, nor what the callee does with it.
static double takes_turns(torch::nn::Linear net) {
  Tensor a = torch::zeros({}), b = torch::zeros({});
  Tensor *p = &a;
  for (int i = 0; i < 100; ++i) {
    *p = net(torch::rand({4, 8})).sum();
    p = i % 2 ? &a : &b;
    fill(p);
  }
  return (a + b).item<double>();
}
static double filled_by_others(torch::nn::Linear net) {
  Tensor sum = torch::zeros({});
  Tensor *p = &sum;
  for (int i = 0; i < 100; ++i) {
    fill(p);
    *p = *p + net(torch::rand({4, 8})).sum();
  }
  return sum.item<double>();
}

int main() {
  torch::nn::Linear net(8, 8);
  torch::nn::GRUCell cell(8, 8);
  return total(net) + first_round(net) + of_a_callee(cell) + begins_anew(net) + detached(net) +
             takes_turns(net) + filled_by_others(net) >
         0;
}
