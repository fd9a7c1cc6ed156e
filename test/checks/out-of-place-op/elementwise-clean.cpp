// The same ops where nothing can be won, or where in-place would be wrong. Nothing
// to say here.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void in_place() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096});
  x += 1;
  x.mul_(0.5).relu_();
  x.sum().item<float>();
}

// Grad may be on: the in-place form can leak for ever (row 15).
Tensor grad_may_be_on(torch::nn::Linear layer, Tensor h) {
  h = h + torch::relu(layer(h));
  return h;
}

void grad_is_on() {
  auto w = torch::randn({4096, 4096}, torch::requires_grad());
  auto x = w * 2;
  x = x + 1;
  x.sum().backward();
}

// Read again afterwards.
float both_needed() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096});
  auto y = x + 1;
  return (x.sum() / y.sum()).item<float>();
}

// Another name holds the same memory: in-place would change it too.
float aliased() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096});
  auto first = x[0];
  x = x + 1;
  return (first.sum() + x.sum()).item<float>();
}

// The caller still has the input.
Tensor shift(Tensor x) {
  torch::NoGradGuard no_grad;
  x = x + 1;
  return x;
}

static std::vector<Tensor> history;
void stored_elsewhere() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096});
  history.assign(1, x);
  x = x + 1;
  x.sum().item<float>();
}

// The result is larger, or of another type, than the input.
float broadcast() {
  torch::NoGradGuard no_grad;
  auto row = torch::rand({1, 8192});
  auto table = row + torch::rand({8192, 1});
  return table.sum().item<float>();
}

float other_type() {
  torch::NoGradGuard no_grad;
  auto counts = torch::ones({4096, 4096}, torch::kInt64);
  auto ratios = counts / 3.0;
  return ratios.sum().item<float>();
}

// 4 KiB: below MinBytes.
float small() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({32, 32});
  x = x + 1;
  return x.sum().item<float>();
}

// matmul cannot be done in place.
float chain() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096}), w = torch::rand({4096, 4096});
  x = torch::matmul(x, w);
  return x.sum().item<float>();
}

void replaced_gradients(torch::nn::Linear net, torch::nn::Linear other) {
  auto from = other->parameters();
  int i = 0;
  for (auto &p : net->parameters())
    p.grad().data() = from[i++].grad().data() / 2;
}
