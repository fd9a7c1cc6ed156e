// A member that begins as a leaf and is computed from itself in every step: it has a graph from the
// second step on.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

class Drift {
public:
  explicit Drift(int64_t n) : table_(torch::randn({n, n}, torch::requires_grad())) {}
  void step(const Tensor &gradient) {
    table_ = table_ - 0.1 * gradient; // expected-note {{'table_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }

private:
  Tensor table_; // expected-path {{'table_' is declared here and outlives the step}}
};

// A run backward that ends at it.
class Retracted {
public:
  explicit Retracted(int64_t n) : points_(torch::randn({n, n}, torch::requires_grad())) {}
  void step(const Tensor &target) {
    auto loss = (points_ * target).sum();
    auto gradient = torch::autograd::grad({loss}, {points_})[0];
    points_ = points_ - 0.1 * gradient; // expected-warning {{'points_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }

private:
  Tensor points_; // expected-path {{'points_' is declared here and outlives the step}}
};

//===-- Near misses -------------------------------------------------------------------===//

class Detached {
public:
  explicit Detached(int64_t n) : table_(torch::randn({n, n}, torch::requires_grad())) {}
  void step(const Tensor &gradient) {
    table_ = (table_.detach() - 0.1 * gradient).requires_grad_();
  }

private:
  Tensor table_;
};

class WithoutGrad {
public:
  explicit WithoutGrad(int64_t n) : table_(torch::randn({n, n}, torch::requires_grad())) {}
  void step(const Tensor &gradient) {
    torch::NoGradGuard guard;
    table_ = table_ - 0.1 * gradient;
  }

private:
  Tensor table_;
};

// It needs no gradient.
class Plain {
public:
  explicit Plain(int64_t n) : table_(torch::randn({n, n})) {}
  void step(const Tensor &gradient) { table_ = table_ - 0.1 * gradient; }

private:
  Tensor table_;
};

int main() {
  Drift drift(64);
  Retracted retracted(64);
  Detached detached(64);
  WithoutGrad without(64);
  Plain plain(64);
  for (int step = 0; step < 100; ++step) {
    auto gradient = torch::rand({64, 64});
    drift.step(gradient);
    retracted.step(gradient);
    detached.step(gradient);
    without.step(gradient);
    plain.step(gradient);
  }
}
