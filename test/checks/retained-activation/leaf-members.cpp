// Members that are leaves in all functions: a layer's own weights, and what each constructor of a
// class makes require grad.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

Tensor next_batch();
void show(float value);

float penalty_by_name(torch::nn::Linear net) {
  auto penalty = torch::zeros({1}); // expected-path {{'penalty' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    penalty = penalty + net->weight.pow(2).sum(); // expected-warning {{'penalty' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return penalty.item<float>();
}

class Mixture {
public:
  Mixture() : temperature(torch::ones({1}, torch::requires_grad())) {}
  void collect() {
    auto both = temperature * bias; // expected-path {{the graph starts here}}
    scaled.push_back(both); // expected-warning {{'scaled' (a member) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
  size_t size() const { return scaled.size(); }

private:
  Tensor temperature;
  Tensor bias = torch::rand({4});
  std::vector<Tensor> scaled; // expected-path {{'scaled' is declared here and outlives the step}}
};

void of_a_constructor() {
  Mixture mixture;
  for (int i = 0; i < 100; ++i)
    mixture.collect();
  show(mixture.size());
}

struct Poly {
  Tensor w = torch::zeros({4}, torch::requires_grad());
};

void of_the_class() {
  Poly poly;
  std::vector<Tensor> history; // expected-path {{'history' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    history.push_back(poly.w * 2); // expected-warning {{'history' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  show(history.size());
}

struct Gate : torch::nn::Module {
  Gate() { alpha = register_parameter("alpha", torch::ones({1})); }
  Tensor alpha;
};

void registered() {
  Gate gate;
  std::vector<Tensor> history; // expected-path {{'history' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    history.push_back(gate.alpha * next_batch()); // expected-warning {{'history' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  show(history.size());
}

//===-- Near misses -------------------------------------------------------===//

float detached(torch::nn::Linear net) {
  auto penalty = torch::zeros({1});
  for (int i = 0; i < 100; ++i)
    penalty = penalty + net->weight.detach().pow(2).sum();
  return penalty.item<float>();
}

// A buffer requires no grad, nor does a parameter that is registered so.
struct Whitened : torch::nn::Module {
  Whitened() {
    mean = register_buffer("mean", torch::zeros({4}));
    fixed = register_parameter("fixed", torch::zeros({4}), /*requires_grad=*/false);
  }
  Tensor mean, fixed;
};

void of_buffers() {
  Whitened whitened;
  auto total = torch::zeros({4});
  for (int i = 0; i < 100; ++i)
    total = total + whitened.mean + whitened.fixed;
  show(total.sum().item<float>());
}

// One of the constructors makes none.
struct Loaded {
  Loaded() : w(torch::zeros({4}, torch::requires_grad())) {}
  explicit Loaded(Tensor given) : w(given) {}
  Tensor w;
};

void of_one_constructor(Tensor given) {
  Loaded loaded(given);
  auto total = torch::zeros({4});
  for (int i = 0; i < 100; ++i)
    total = total + loaded.w;
  show(total.sum().item<float>());
}

// Another function puts something else there.
struct Replaced {
  Tensor w = torch::zeros({4}, torch::requires_grad());
};

void replace(Replaced &with) { with.w = torch::ones({4}); }

float of_replaced(Replaced &with) {
  auto total = torch::zeros({4});
  for (int i = 0; i < 100; ++i)
    total = total + with.w;
  return total.sum().item<float>();
}
