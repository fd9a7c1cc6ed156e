// Small programs that no rule was written for: graphs that are kept in forms that the rule
// tests do not have. Each with a twin that keeps none.
//
// RUN: %check_tensor %s
#include <torch/torch.h>

#include <deque>
#include <list>
#include <memory>
#include <stdexcept>

using torch::Tensor;

Tensor frame(int i);
void publish(double value);

//===-- A deque of records, one field of which has a graph -----------------===//

struct Transition {
  Tensor state, value;
  double reward;
};

static void remembers(torch::nn::Linear critic) {
  std::deque<Transition> memory; // expected-path {{'memory' is declared here}}
  for (int step = 0; step < 1000; ++step) {
    Tensor s = frame(step);
    Tensor v = critic->forward(s); // expected-path {{the graph starts here}}
    memory.push_back(Transition{s, v, 1.0}); // expected-warning {{'memory'}} [tensor-retained-activation]
  }
  for (const Transition &t : memory)
    publish(t.reward);
}

static void remembers_numbers(torch::nn::Linear critic) {
  torch::NoGradGuard no_grad;
  std::deque<Transition> memory;
  for (int step = 0; step < 1000; ++step) {
    Tensor s = frame(step);
    memory.push_back(Transition{s, critic->forward(s), 1.0});
  }
  for (const Transition &t : memory)
    publish(t.reward);
}

//===-- The hidden state of a base class ------------------------------------===//

class Recurrent {
public:
  virtual ~Recurrent() = default;

protected:
  Tensor hidden; // expected-path {{'hidden' is declared here}}
};

class Tracker : public Recurrent {
public:
  Tensor step(const Tensor &x) {
    auto out = gru->forward(x, hidden); // expected-path {{the graph starts here}}
    hidden = std::get<1>(out); // expected-warning {{'hidden' (a member) is computed from itself}} [tensor-retained-activation]
    return std::get<0>(out);
  }

private:
  torch::nn::GRU gru{torch::nn::GRUOptions(32, 64)};
};

class GuardedTracker : public Recurrent {
public:
  Tensor step(const Tensor &x) {
    torch::NoGradGuard no_grad;
    auto out = gru->forward(x, hidden);
    hidden = std::get<1>(out);
    return std::get<0>(out);
  }

private:
  torch::nn::GRU gru{torch::nn::GRUOptions(32, 64)};
};

//===-- What a lambda keeps from call to call -------------------------------===//

static void averages(torch::nn::Linear net) {
  auto average = [mean = torch::zeros({8})](const Tensor &x) mutable { // expected-path {{'mean' is declared here}}
    mean = 0.9 * mean + 0.1 * x; // expected-warning {{'mean'}} [tensor-retained-activation]
    return mean.sum().item<double>();
  };
  for (int i = 0; i < 1000; ++i)
    publish(average(net->forward(frame(i)))); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

static void averages_numbers(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  auto average = [mean = torch::zeros({8})](const Tensor &x) mutable {
    mean = 0.9 * mean + 0.1 * x;
    return mean.sum().item<double>();
  };
  for (int i = 0; i < 1000; ++i)
    publish(average(net->forward(frame(i))));
}

//===-- Emptied where an error comes only -----------------------------------===//

static void empties_on_errors(torch::nn::Conv2d conv) {
  std::list<Tensor> last; // expected-path {{'last' is declared here}}
  for (int i = 0; i < 1000; ++i) {
    last.push_back(conv->forward(frame(i))); // expected-warning {{'last'}} [tensor-retained-activation] expected-path {{the graph starts here}}
    try {
      publish(last.back().mean().item<double>());
    } catch (const std::runtime_error &) {
      last.clear();
    }
  }
}

static void keeps_ten(torch::nn::Conv2d conv) {
  torch::NoGradGuard no_grad;
  std::list<Tensor> last;
  for (int i = 0; i < 1000; ++i) {
    last.push_back(conv->forward(frame(i)));
    if (last.size() > 10)
      last.pop_front();
    publish(last.back().mean().item<double>());
  }
}

//===-- An optimizer in a record --------------------------------------------===//

struct Head {
  torch::nn::Linear net{16, 1};
  std::unique_ptr<torch::optim::Optimizer> opt;
};

static void never_reset() {
  Head head;
  head.opt = std::make_unique<torch::optim::Adam>(head.net->parameters(), 1e-3);
  for (int i = 0; i < 1000; ++i) { // expected-path {{the loop is here}}
    head.net->forward(frame(i)).mean().backward(); // expected-path {{gradients are added to the old ones here}}
    head.opt->step(); // expected-warning {{'opt' steps in every round}} [tensor-missing-zero-grad]
  }
}

static void reset_in_each_round() {
  Head head;
  head.opt = std::make_unique<torch::optim::Adam>(head.net->parameters(), 1e-3);
  for (int i = 0; i < 1000; ++i) {
    head.opt->zero_grad();
    head.net->forward(frame(i)).mean().backward();
    head.opt->step();
  }
}

int main() {
  torch::nn::Linear net(8, 8);
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(3, 16, 3));
  remembers(net), remembers_numbers(net);
  averages(net), averages_numbers(net);
  empties_on_errors(conv), keeps_ten(conv);
  never_reset(), reset_in_each_round();
  Tracker tracker;
  GuardedTracker guarded;
  for (int i = 0; i < 1000; ++i) {
    publish(tracker.step(frame(i)).mean().item<double>());
    publish(guarded.step(frame(i)).mean().item<double>());
  }
}
