// What public bug reports and forum threads about growing memory showed, written anew: each
// with the form that does not leak.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <functional>
#include <map>
#include <string>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

//===-- Results for later (pytorch#15277) ----------------------------------===//

size_t predictions(torch::nn::Linear net) {
  std::vector<Tensor> results; // expected-path {{'results' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    auto out = net->forward(next_batch()); // expected-path {{the graph starts here}}
    results.push_back(out.clone()); // expected-warning {{what is added to 'results' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
  return results.size();
}

size_t predictions_detached(torch::nn::Linear net) {
  std::vector<Tensor> results;
  for (int i = 0; i < 1000; ++i)
    results.push_back(net->forward(next_batch()).detach().clone());
  return results.size();
}

//===-- A meter that is handed tensors --------------------------------------===//

class Meter {
public:
  void update(const Tensor &value) { sum_ += value; } // expected-warning {{'sum_' (a member) is written in place}} [tensor-retained-activation]
  double mean(int count) const { return sum_.item<double>() / count; }

private:
  Tensor sum_ = torch::zeros({1}); // expected-path {{'sum_' is declared here and outlives the step}}
};

double mean_output(torch::nn::Linear net) {
  Meter meter;
  for (int i = 0; i < 1000; ++i)
    meter.update(net->forward(next_batch()).mean()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
  return meter.mean(1000);
}

class Counter {
public:
  void update(const Tensor &value) { sum_ += value.item<double>(); }
  double mean(int count) const { return sum_ / count; }

private:
  double sum_ = 0;
};

double mean_counted(torch::nn::Linear net) {
  Counter counter;
  for (int i = 0; i < 1000; ++i)
    counter.update(net->forward(next_batch()).mean());
  return counter.mean(1000);
}

//===-- A sum that begins with the first loss --------------------------------===//

float validate(torch::nn::Linear net, const std::vector<Tensor> &batches) {
  Tensor sum; // expected-path {{'sum' is declared here and outlives the step}}
  for (const auto &batch : batches) {
    auto loss = net->forward(batch).pow(2).mean(); // expected-path {{the graph starts here}}
    if (!sum.defined())
      sum = loss;
    else
      sum = sum + loss; // expected-warning {{'sum' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  }
  return sum.item<float>();
}

float validate_guarded(torch::nn::Linear net, const std::vector<Tensor> &batches) {
  torch::NoGradGuard no_grad;
  Tensor sum;
  for (const auto &batch : batches) {
    auto loss = net->forward(batch).pow(2).mean();
    if (!sum.defined())
      sum = loss;
    else
      sum = sum + loss;
  }
  return sum.item<float>();
}

//===-- Named histories -----------------------------------------------------===//

size_t metrics_by_name(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::map<std::string, std::vector<Tensor>> metrics; // expected-path {{'metrics' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    optimizer.zero_grad();
    auto out = net->forward(next_batch()); // expected-path {{the graph starts here}}
    out.pow(2).mean().backward();
    optimizer.step();
    metrics["out"].push_back(out); // expected-warning {{what is added to 'metrics' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
  return metrics["out"].size();
}

size_t values_by_name(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::map<std::string, std::vector<float>> metrics;
  for (int i = 0; i < 1000; ++i) {
    optimizer.zero_grad();
    auto loss = net->forward(next_batch()).pow(2).mean();
    loss.backward();
    optimizer.step();
    metrics["loss"].push_back(loss.item<float>());
  }
  return metrics["loss"].size();
}

//===-- What the base class records -----------------------------------------===//

class Agent {
public:
  virtual ~Agent() = default;
  virtual Tensor act(Tensor state) = 0;

protected:
  void record(Tensor values) { values_.push_back(values); } // expected-note {{what is added to 'values_' (a member) still carries its graph}} [tensor-retained-activation]
  std::vector<Tensor> values_; // expected-path {{'values_' is declared here and outlives the step}}
};

class Greedy : public Agent {
public:
  Tensor act(Tensor state) override {
    auto values = net_->forward(state); // expected-path {{the graph starts here}}
    record(values); // expected-path {{called here in every step}}
    return values.argmax(1);
  }

private:
  torch::nn::Linear net_{64, 4};
};

//===-- A cache of what was computed ----------------------------------------===//

Tensor cached(torch::nn::Linear net, int id) {
  static std::map<int, Tensor> cache; // expected-path {{'cache' is declared here and outlives the step}}
  auto it = cache.find(id);
  if (it != cache.end())
    return it->second;
  auto value = net->forward(next_batch()); // expected-path {{the graph starts here}}
  cache[id] = value; // expected-warning {{what is added to 'cache' (a static variable) still carries its graph}} [tensor-retained-activation]
  return value;
}

//===-- Callbacks -----------------------------------------------------------===//

size_t logged(torch::nn::Linear net) {
  std::vector<Tensor> log; // expected-path {{'log' is declared here and outlives the step}}
  std::function<void(Tensor)> on_step = [&log](Tensor loss) {
    log.push_back(loss); // expected-warning {{what is added to 'log' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  };
  for (int i = 0; i < 1000; ++i)
    on_step(net->forward(next_batch()).mean()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
  return log.size();
}
