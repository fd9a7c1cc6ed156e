// What a loop calls is a part of its steps: functions, lambdas, what a template or an algorithm
// of the library is given to call.
//
// RUN: %check_tensor %s --tool-arg=--checks=tensor-*
#include <torch/torch.h>
#include <functional>
#include <algorithm>
using torch::Tensor;
Tensor load_batch(int i);

// The accumulator is the caller's, and a helper adds to it.
static void add_to(Tensor &total, const Tensor &loss) { total = total + loss; } // expected-warning {{'total' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
float mean_loss(torch::nn::Linear net) {
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    add_to(total, net(load_batch(i)).mean()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
  return total.item<float>() / 100;
}

// As a number.
static void add_number(float &total, const Tensor &loss) { total += loss.item<float>(); }
float mean_number(torch::nn::Linear net) {
  float total = 0;
  torch::NoGradGuard guard;
  for (int i = 0; i < 100; ++i)
    add_number(total, net(load_batch(i)).mean());
  return total / 100;
}

// A step that returns its loss, which the loop adds up.
static Tensor train_step(torch::nn::Linear &net, torch::optim::SGD &opt, const Tensor &x) {
  opt.zero_grad();
  auto loss = net(x).pow(2).mean(); // expected-path {{the graph starts here}}
  loss.backward();
  opt.step();
  return loss;
}
void train_total(torch::nn::Linear net, int n) {
  torch::optim::SGD opt(net->parameters(), 0.1);
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i)
    total += train_step(net, opt, load_batch(i)); // expected-note {{'total' (declared outside the loop) is written in place}} [tensor-retained-activation]
}
void train_plain(torch::nn::Linear net, int n) {
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int i = 0; i < n; ++i)
    train_step(net, opt, load_batch(i));
}

// Nobody resets.
static void sloppy_step(torch::nn::Linear &net, torch::optim::Optimizer &opt, const Tensor &x) {
  auto loss = net(x).pow(2).mean();
  loss.backward(); // expected-path {{gradients are added to the old ones here}}
  opt.step(); // expected-warning {{'opt'}} [tensor-missing-zero-grad]
}
void sloppy(torch::nn::Linear net) {
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) // expected-path {{the loop is here}}
    sloppy_step(net, opt, load_batch(i)); // expected-path {{called here in every round}}
}
// The caller does.
static void careful_step(torch::nn::Linear &net, torch::optim::Optimizer &opt, const Tensor &x) {
  auto loss = net(x).pow(2).mean();
  loss.backward();
  opt.step();
}
void careful(torch::nn::Linear net) {
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    careful_step(net, opt, load_batch(i));
  }
}

// A template that calls what it is given.
template <typename F> void repeat(int n, F step) {
  for (int i = 0; i < n; ++i)
    step(i); // expected-path {{called here in every step}}
}
void with_template(torch::nn::Linear net) {
  std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  repeat(100, [&](int i) { outs.push_back(net(load_batch(i))); }); // expected-warning {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-path {{called here in every step}}
}
void with_template_clean(torch::nn::Linear net) {
  std::vector<Tensor> outs;
  repeat(100, [&](int i) { outs.push_back(net(load_batch(i)).detach()); }); // expected-note {{never differentiated}} [tensor-missing-no-grad]
}

// A std::function.
void run_epochs(int n, const std::function<void(int)> &step) {
  for (int i = 0; i < n; ++i)
    step(i); // expected-path {{called here in every step}}
}
void with_function(torch::nn::Linear net) {
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  run_epochs(10, [&](int i) { total = total + net(load_batch(i)).sum(); }); // expected-warning {{'total' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-warning {{never differentiated}} [tensor-missing-no-grad] expected-path {{the graph starts here}} expected-path {{called here in every step}}
}
void with_function_clean(torch::nn::Linear net) {
  Tensor total = torch::zeros({1});
  run_epochs(10, [&](int i) { total = total + net(load_batch(i)).sum().detach(); }); // expected-note {{never differentiated}} [tensor-missing-no-grad]
}

// An algorithm.
void with_algorithm(torch::nn::Linear net, const std::vector<int> &ids) {
  std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  std::for_each(ids.begin(), ids.end(), [&](int i) { outs.push_back(net(load_batch(i))); }); // expected-warning {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-path {{called here in every step}}
}
void with_algorithm_clean(torch::nn::Linear net, const std::vector<int> &ids) {
  std::vector<float> outs;
  torch::NoGradGuard guard;
  std::for_each(ids.begin(), ids.end(), [&](int i) {
    outs.push_back(net(load_batch(i)).item<float>());
  });
}

// A lambda with a name, called in a loop.
void with_lambda(torch::nn::Linear net) {
  std::vector<Tensor> history; // expected-path {{'history' is declared here and outlives the step}}
  auto step = [&](const Tensor &x) {
    auto y = net(x); // expected-path {{the graph starts here}}
    history.push_back(y); // expected-warning {{'history' (declared outside the loop)}} [tensor-retained-activation] expected-fix {{.detach()}}
  };
  for (int i = 0; i < 100; ++i)
    step(load_batch(i)); // expected-path {{called here in every step}}
}
void with_lambda_clean(torch::nn::Linear net) {
  for (int e = 0; e < 10; ++e) {
    std::vector<Tensor> history;
    auto step = [&](const Tensor &x) { history.push_back(net(x)); };
    for (int i = 0; i < 3; ++i)
      step(load_batch(i));
    torch::stack(history).sum().backward();
  }
}

// Hidden state through a helper.
static std::tuple<Tensor, Tensor> cell(torch::nn::Linear &net, const Tensor &x, const Tensor &h) {
  Tensor next = torch::tanh(net(x) + h); // expected-path {{the graph starts here}}
  return {next.sum(), next};
}
void recurrent(torch::nn::Linear net) {
  Tensor hidden = torch::zeros({4}); // expected-path {{'hidden' is declared here and outlives the step}}
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    auto [loss, next] = cell(net, load_batch(i), hidden);
    hidden = next; // expected-warning {{'hidden'}} [tensor-retained-activation]
  }
}
void recurrent_clean(torch::nn::Linear net) {
  Tensor hidden = torch::zeros({4});
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    auto [loss, next] = cell(net, load_batch(i), hidden);
    opt.zero_grad();
    loss.backward();
    opt.step();
    hidden = next.detach();
  }
}

// A prediction helper that one caller trains with.
static Tensor predict(torch::nn::Linear &net, const Tensor &x) { return net(x).relu(); }
void use_for_training(torch::nn::Linear net) {
  torch::optim::SGD opt(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    predict(net, load_batch(i)).sum().backward();
    opt.step();
  }
}
double use_for_reading(torch::nn::Linear net) {
  double sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += predict(net, load_batch(i)).sum().item<double>(); // expected-note {{never differentiated}} [tensor-missing-no-grad]
  return sum;
}
double use_under_guard(torch::nn::Linear net) {
  double sum = 0;
  torch::NoGradGuard guard;
  for (int i = 0; i < 100; ++i)
    sum += predict(net, load_batch(i)).sum().item<double>();
  return sum;
}

// A helper that evaluates, called once.
static double evaluate_batch(torch::nn::Linear &net, const Tensor &x) {
  auto y = net(x); // expected-note {{never differentiated}} [tensor-missing-no-grad]
  return y.sum().item<double>();
}
double evaluate(torch::nn::Linear net) {
  double sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += evaluate_batch(net, load_batch(i));
  return sum;
}
// struct state by reference, two levels.
struct State { std::vector<Tensor> grads; Tensor best; int steps = 0; }; // expected-path {{'grads' is declared here and outlives the step}}
static void remember(State &s, const Tensor &loss) { s.grads.push_back(loss); } // expected-warning {{'grads' (a member)}} [tensor-retained-activation] expected-fix {{.detach()}}
static void advance(State &s, torch::nn::Linear &net, int i) {
  ++s.steps;
  remember(s, net(load_batch(i)).mean()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}
int drive(torch::nn::Linear net) {
  State s;
  for (int i = 0; i < 100; ++i)
    advance(s, net, i); // expected-path {{called here in every step}}
  return s.steps;
}
static void keep_best(State &s, const Tensor &loss) { s.best = loss; }
int drive_clean(torch::nn::Linear net) {
  State s;
  for (int i = 0; i < 100; ++i) {
    keep_best(s, net(load_batch(i)).mean()); // expected-note {{never differentiated}} [tensor-missing-no-grad]
    s.grads.clear();
  }
  return s.steps;
}
