// A callee of the loop computes a part of a state anew that its caller has alone.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct State {
  Tensor density, other;
};

static void collide(State &s, double omega) {
  s.density = s.density + omega; // expected-warning {{64 MiB}} [tensor-out-of-place-op] expected-fix {{+=}}
}

double simulate(int steps) {
  torch::NoGradGuard no_grad;
  State state{torch::ones({4096, 4096}), torch::ones({4})};
  for (int t = 0; t < steps; ++t)
    collide(state, 0.6);
  return state.density.mean().item<double>();
}

static void relax(State &s, double omega) {
  s.density = s.density + omega; // expected-warning {{64 MiB}} [tensor-out-of-place-op] expected-fix {{+=}}
  s.other = s.other * (1.0 - omega); // expected-warning {{64 MiB}} [tensor-out-of-place-op] expected-fix {{*=}}
}

double simulate_both(int steps) {
  torch::NoGradGuard no_grad;
  State state{torch::ones({4096, 4096}), torch::ones({4096, 4096})};
  for (int t = 0; t < steps; ++t)
    relax(state, 0.6);
  return state.density.mean().item<double>() + state.other.mean().item<double>();
}

//===-- Near misses: somebody else has or reads the old one ----------------------===//

static void collide_shared(State &s, double omega) { s.density = s.density + omega; }

double simulate_shared(int steps) {
  torch::NoGradGuard no_grad;
  State state{torch::ones({4096, 4096}), torch::ones({4})};
  const Tensor first = state.density;
  for (int t = 0; t < steps; ++t)
    collide_shared(state, 0.6);
  return (state.density - first).mean().item<double>();
}

static double exchange(State &s, double omega) {
  s.density = s.density + omega;
  const double last = s.other.mean().item<double>(); // from the second round on the old density
  s.other = s.density;
  return last;
}

double simulate_exchanged(int steps) {
  torch::NoGradGuard no_grad;
  State state{torch::ones({4096, 4096}), torch::ones({4096, 4096})};
  for (int t = 0; t < steps; ++t)
    exchange(state, 0.6);
  return state.density.mean().item<double>() + state.other.mean().item<double>();
}

static void collide_compared(State &s, double omega) {
  const Tensor before = s.density;
  s.density = s.density + omega;
  s.other.add_((s.density - before).mean());
}

double simulate_compared(int steps) {
  torch::NoGradGuard no_grad;
  State state{torch::ones({4096, 4096}), torch::ones({4})};
  for (int t = 0; t < steps; ++t)
    collide_compared(state, 0.6);
  return state.density.mean().item<double>();
}

static void collide_copied(State s, double omega) {
  s.density = s.density + omega;
  s.other.add_(s.density.mean());
}

double simulate_copied(int steps) {
  torch::NoGradGuard no_grad;
  State state{torch::ones({4096, 4096}), torch::ones({4})};
  for (int t = 0; t < steps; ++t)
    collide_copied(state, 0.6);
  return state.density.mean().item<double>();
}
