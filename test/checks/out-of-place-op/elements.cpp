// Elements of lists, members of records in lists, and globals: what an op makes of one takes its
// place, and nobody else holds the tensor before.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

using torch::Tensor;

//===-- Lists of the function's own ---------------------------------------------------===//

void momentum(const std::vector<Tensor> &weights) {
  torch::NoGradGuard guard;
  std::vector<Tensor> velocity;
  for (size_t i = 0; i < weights.size(); ++i)
    velocity.push_back(torch::zeros_like(weights[i]));
  for (int step = 0; step < 100; ++step)
    for (size_t i = 0; i < weights.size(); ++i)
      velocity[i] = velocity[i] * 0.9 + weights[i]; // expected-note {{'velocity[i] * 0.9' makes a second tensor while an element of 'velocity' dies here; the in-place form '*='}} [tensor-out-of-place-op]
}

void each(int n) {
  torch::NoGradGuard guard;
  std::vector<Tensor> states;
  for (int i = 0; i < n; ++i)
    states.push_back(torch::rand({1024, 1024}));
  for (int step = 0; step < 100; ++step)
    for (auto &state : states)
      state = torch::relu(state); // expected-note {{while an element of 'states' dies here; the in-place form 'relu_'}} [tensor-out-of-place-op]
}

void by_name() {
  torch::NoGradGuard guard;
  std::map<std::string, Tensor> averages;
  averages["loss"] = torch::zeros({8192, 8192});
  for (int step = 0; step < 100; ++step)
    averages["loss"] = averages["loss"] * 0.9; // expected-warning {{256 MiB while an element of 'averages' dies here; the in-place form '*='}} [tensor-out-of-place-op] expected-fix {{*=}}
}

/// The next element is another one, and is read later.
void shifted(int n) {
  torch::NoGradGuard guard;
  std::vector<Tensor> states;
  for (int i = 0; i < n; ++i)
    states.push_back(torch::rand({1024, 1024}));
  for (int step = 0; step < 100; ++step)
    for (int i = 1; i < n; ++i)
      states[i] = states[i - 1] * 0.9;
}

/// One tensor in all elements.
void the_same_in_all(int n) {
  torch::NoGradGuard guard;
  std::vector<Tensor> states(n, torch::rand({1024, 1024}));
  for (int step = 0; step < 100; ++step)
    for (auto &state : states)
      state = state * 0.9;
}

void filled_with_one(int n) {
  torch::NoGradGuard guard;
  std::vector<Tensor> states;
  states.resize(n, torch::rand({1024, 1024}));
  for (int step = 0; step < 100; ++step)
    states[step % n] = states[step % n] * 0.9;
}

/// Whoever gave the tensors still has them.
void others_tensors(const std::vector<Tensor> &weights) {
  torch::NoGradGuard guard;
  std::vector<Tensor> shadow;
  for (const auto &w : weights)
    shadow.push_back(w);
  for (int step = 0; step < 100; ++step)
    for (size_t i = 0; i < weights.size(); ++i)
      shadow[i] = shadow[i] * 0.9;
}

/// The best is one of them.
Tensor best_of(int n) {
  torch::NoGradGuard guard;
  std::vector<Tensor> states;
  for (int i = 0; i < n; ++i)
    states.push_back(torch::rand({1024, 1024}));
  Tensor best;
  for (int step = 0; step < 100; ++step) {
    for (auto &state : states)
      state = state * 0.9;
    best = states[0];
  }
  return best;
}

//===-- Members -----------------------------------------------------------------------===//

class Momentum {
public:
  explicit Momentum(const std::vector<Tensor> &weights) : weights_(weights) {
    for (const auto &w : weights_)
      velocity_.push_back(torch::zeros_like(w));
  }
  void step() {
    torch::NoGradGuard guard;
    for (size_t i = 0; i < weights_.size(); ++i) {
      velocity_[i] = velocity_[i] * 0.9 + weights_[i].grad(); // expected-note {{while an element of 'velocity_' dies here; the in-place form '*='}} [tensor-out-of-place-op]
      weights_[i].sub_(velocity_[i], 0.1);
    }
  }

private:
  std::vector<Tensor> weights_, velocity_;
};

/// Some other object has the tensors that `seen_` is given.
class Seen {
public:
  void add(const Tensor &t) { seen_.push_back(t); }
  void fade() {
    torch::NoGradGuard guard;
    for (auto &t : seen_)
      t = t * 0.9;
  }

private:
  std::vector<Tensor> seen_;
};

struct Slot {
  Tensor sum;
  int count = 0;
};

void of_records(int n) {
  torch::NoGradGuard guard;
  std::vector<Slot> slots(n);
  for (auto &slot : slots)
    slot.sum = torch::zeros({1024, 1024});
  for (int step = 0; step < 100; ++step)
    for (auto &slot : slots) {
      slot.sum = slot.sum * 0.9; // expected-note {{while 'sum' dies here; the in-place form '*='}} [tensor-out-of-place-op]
      ++slot.count;
    }
}

//===-- Globals -----------------------------------------------------------------------===//

static Tensor average = torch::zeros({1024, 1024});

void fade_average() {
  torch::NoGradGuard guard;
  for (int step = 0; step < 100; ++step)
    average = average * 0.9; // expected-note {{while 'average' dies here; the in-place form '*='}} [tensor-out-of-place-op]
}

static Tensor latest = torch::zeros({1024, 1024});
Tensor lend_latest() { return latest; }

void fade_latest(std::vector<Tensor> &kept) {
  torch::NoGradGuard guard;
  for (int step = 0; step < 100; ++step) {
    latest = latest * 0.9;
    kept.push_back(latest);
  }
}
