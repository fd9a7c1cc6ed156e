// Gradient descent without an optimizer: who steps by hand resets by hand.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void regularise(Tensor &w);

void by_operator() {
  auto w = torch::zeros({4}, torch::requires_grad());
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    (w * next_batch()).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    torch::NoGradGuard guard;
    w -= w.grad().mul(0.1); // expected-warning {{'w' follows its gradient in every round of this loop, but nothing resets the gradient}} [tensor-missing-zero-grad]
  }
}

struct Line {
  Tensor slope = torch::zeros({1}, torch::requires_grad());
  Tensor operator()(const Tensor &x) const { return slope * x; }
};

void of_a_member(Tensor x, Tensor y) {
  Line line;
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    auto loss = (line(x) - y).pow(2).sum();
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    line.slope.data().sub_(line.slope.grad(), 0.1); // expected-warning {{'slope' follows its gradient}} [tensor-missing-zero-grad]
  }
}

void through_a_variable() {
  auto w = torch::zeros({4}, torch::requires_grad());
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    (w * next_batch()).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    torch::NoGradGuard guard;
    auto gradient = w.grad();
    auto step = gradient * 0.1;
    w.sub_(step); // expected-warning {{'w' follows its gradient}} [tensor-missing-zero-grad]
  }
}

//===-- Near misses -------------------------------------------------------===//

void zeroed() {
  auto w = torch::zeros({4}, torch::requires_grad());
  for (int i = 0; i < 100; ++i) {
    (w * next_batch()).sum().backward();
    torch::NoGradGuard guard;
    w -= w.grad().mul(0.1);
    w.grad().zero_();
  }
}

void undefined() {
  auto w = torch::zeros({4}, torch::requires_grad());
  for (int i = 0; i < 100; ++i) {
    w.mutable_grad() = Tensor();
    (w * next_batch()).sum().backward();
    torch::NoGradGuard guard;
    w -= w.grad().mul(0.1);
  }
}

// A new leaf has no gradient.
void made_anew() {
  auto w = torch::zeros({4}, torch::requires_grad());
  for (int i = 0; i < 100; ++i) {
    (w * next_batch()).sum().backward();
    torch::NoGradGuard guard;
    w -= w.grad().mul(0.1);
    w = w.clone().requires_grad_();
  }
}

// torch::autograd::grad gives gradients, and adds to none.
void asked_for() {
  auto w = torch::zeros({4}, torch::requires_grad());
  (w * next_batch()).sum().backward();
  auto first = w.grad();
  for (int i = 0; i < 100; ++i) {
    auto gradient = torch::autograd::grad({(w * next_batch()).sum()}, {w})[0];
    torch::NoGradGuard guard;
    w -= gradient * 0.1 + w.grad();
  }
}

// Another tensor's gradient, and a tensor of the round.
void of_others(Tensor other) {
  auto w = torch::zeros({4}, torch::requires_grad());
  auto sum = torch::zeros({4});
  for (int i = 0; i < 100; ++i) {
    auto delta = torch::zeros({4}, torch::requires_grad());
    ((w + delta) * next_batch()).sum().backward();
    torch::NoGradGuard guard;
    sum += w.grad();
    delta += delta.grad();
  }
}

// Somebody who is not in view is given the tensor.
void handed_on() {
  auto w = torch::zeros({4}, torch::requires_grad());
  for (int i = 0; i < 100; ++i) {
    (w * next_batch()).sum().backward();
    torch::NoGradGuard guard;
    w -= w.grad().mul(0.1);
    regularise(w);
  }
}

//===-- Handles that each round makes ----------------------------------------------===//

struct Weights {
  Tensor w1, b1;
  std::array<Tensor, 2> all() const { return {w1, b1}; }
  std::vector<Tensor> fresh() const {
    return {torch::zeros({4}, torch::requires_grad()), torch::zeros({4}, torch::requires_grad())};
  }
};
Tensor loss_of(const Weights &w, const Tensor &x) { return (x * w.w1 + w.b1).sum(); }

void descend(const Weights &weights) {
  torch::NoGradGuard guard;
  for (auto p : weights.all())
    p.add_(p.grad(), -0.1); // expected-warning {{'p' follows its gradient in every round of this loop}} [tensor-missing-zero-grad]
}
void by_a_function(const Weights &weights) {
  for (int i = 0; i < 100; ++i) {           // expected-path {{the loop is here}}
    loss_of(weights, next_batch()).backward(); // expected-path {{gradients are added to the old ones here}}
    descend(weights);
  }
}
void by_a_list(const Weights &weights) {
  for (int i = 0; i < 100; ++i) {           // expected-path {{the loop is here}}
    loss_of(weights, next_batch()).backward(); // expected-path {{gradients are added to the old ones here}}
    torch::NoGradGuard guard;
    for (auto p : {weights.w1, weights.b1})
      p -= p.grad().mul(0.1); // expected-warning {{'p' follows its gradient in every round of this loop}} [tensor-missing-zero-grad]
  }
}

void descend_and_reset(const Weights &weights) {
  torch::NoGradGuard guard;
  for (auto p : weights.all()) {
    p.add_(p.grad(), -0.1);
    p.grad().zero_();
  }
}
void reset_by_a_function(const Weights &weights) {
  for (int i = 0; i < 100; ++i) {
    loss_of(weights, next_batch()).backward();
    descend_and_reset(weights);
  }
}
void reset_one_by_one(const Weights &weights) {
  for (int i = 0; i < 100; ++i) {
    weights.w1.mutable_grad() = Tensor();
    weights.b1.mutable_grad() = Tensor();
    loss_of(weights, next_batch()).backward();
    torch::NoGradGuard guard;
    for (auto p : weights.all())
      p -= p.grad().mul(0.1);
  }
}
// A list of tensors of the round.
void of_the_round(const Weights &weights) {
  for (int i = 0; i < 100; ++i) {
    auto made = weights.fresh();
    (made[0] * next_batch() + made[1]).sum().backward();
    torch::NoGradGuard guard;
    for (auto p : made)
      p -= p.grad().mul(0.1);
  }
}
