// A network of which the file knows an abstract class only: which layers it has, the classes that
// are derived from it know.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct Policy : torch::nn::Module {
  virtual Tensor forward(const Tensor &state) = 0;
};

float evaluate(Policy &policy) {
  float sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += policy.forward(torch::rand({64, 16})).sum().item<float>(); // expected-note {{what 'policy' computes here is never differentiated}} [tensor-missing-no-grad]
  return sum;
}

//===-- Near misses -------------------------------------------------------===//

float evaluate_guarded(Policy &policy) {
  torch::NoGradGuard no_grad;
  float sum = 0;
  policy.eval();
  for (int i = 0; i < 100; ++i)
    sum += policy.forward(torch::rand({64, 16})).sum().item<float>();
  return sum;
}

// All of this class is known: it has no parameters.
struct Doubled : torch::nn::Module {
  Tensor forward(const Tensor &state) { return state * 2; }
};

float evaluate_doubled(Doubled &doubled) {
  float sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += doubled.forward(torch::rand({64, 16})).sum().item<float>();
  return sum;
}

void learn(Policy &policy, torch::optim::Optimizer &optimizer) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    policy.forward(torch::rand({64, 16})).sum().backward();
    optimizer.step();
  }
}
