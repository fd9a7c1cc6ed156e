// `where` gives the type of what it chooses from; its condition is no part of that.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void show(const Tensor &x);

void of_floats() {
  torch::NoGradGuard guard;
  auto x = torch::rand({256, 1024, 1024});
  x = torch::where(x > 0.5, x, torch::zeros({1}));
  x = x - 3; // expected-warning {{'x - 3' makes a second tensor of 1 GiB}} [tensor-out-of-place-op] expected-fix {{-=}}
  show(x);
}

//===-- Near misses -------------------------------------------------------===//

// The in-place form would keep integers.
void of_integers() {
  torch::NoGradGuard guard;
  auto x = torch::zeros({256, 1024, 1024}, torch::kInt);
  x = torch::where(x > 1, x, torch::ones({1}, torch::kInt));
  x = x - 0.5;
  show(x);
}

// Of two types it is not known which.
void of_two_types() {
  torch::NoGradGuard guard;
  auto x = torch::rand({256, 1024, 1024});
  x = torch::where(x > 0.5, x, torch::ones({1}, torch::kInt));
  x = x - 3;
  show(x);
}
