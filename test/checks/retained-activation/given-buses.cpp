// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// Objects that get a list of functions by reference, and put into it what captures a loss.
#include <torch/torch.h>
#include <functional>
#include <vector>

class Bus {
public:
  void defer(std::function<void()> task) {
    tasks_.push_back(std::move(task)); // expected-note {{what is added to 'tasks_' (a member) still carries its graph; the autograd nodes of the step stay alive with it}} [tensor-retained-activation]
  }
  void flush() {
    for (auto &task : tasks_)
      task();
    tasks_.clear();
  }

private:
  std::vector<std::function<void()>> tasks_; // expected-path {{'tasks_' is declared here and outlives the step}}
};

class Trainer {
public:
  Trainer(Bus &bus, int64_t n) : bus_(bus), net_(n, n), opt_(net_->parameters(), 0.1) {}
  void step() {
    opt_.zero_grad();
    auto loss = net_->forward(torch::randn({8, 8})).mean(); // expected-path {{the graph starts here}}
    loss.backward();
    opt_.step();
    bus_.defer([loss] { loss.item<float>(); }); // expected-path {{called here in every step}}
  }

private:
  Bus &bus_;
  torch::nn::Linear net_;
  torch::optim::SGD opt_;
};

void train() {
  Bus bus;
  Trainer trainer(bus, 8);
  for (int i = 0; i < 100; ++i)
    trainer.step(); // expected-path {{called here in every step}}
  bus.flush();
}

//===-- Near misses -----------------------------------------------------------===//

class Events {
public:
  void defer(std::function<void()> task) { tasks_.push_back(std::move(task)); }
  void flush() {
    for (auto &task : tasks_)
      task();
    tasks_.clear();
  }

private:
  std::vector<std::function<void()>> tasks_;
};

class Flushing { // in each step
public:
  Flushing(Events &events, int64_t n)
      : events_(events), net_(n, n), opt_(net_->parameters(), 0.1) {}
  void step() {
    opt_.zero_grad();
    auto loss = net_->forward(torch::randn({8, 8})).mean();
    loss.backward();
    opt_.step();
    events_.defer([loss] { loss.item<float>(); });
    events_.flush();
  }

private:
  Events &events_;
  torch::nn::Linear net_;
  torch::optim::SGD opt_;
};

void flushInSteps() {
  Events events;
  Flushing trainer(events, 8);
  for (int i = 0; i < 100; ++i)
    trainer.step();
}

class Numbers {
public:
  void defer(std::function<void()> task) { tasks_.push_back(std::move(task)); }

private:
  std::vector<std::function<void()>> tasks_;
};

class Elsewhere { // where its other methods are
public:
  Elsewhere(Numbers &numbers, int64_t n)
      : numbers_(numbers), net_(n, n), opt_(net_->parameters(), 0.1) {}
  void step() {
    opt_.zero_grad();
    auto loss = net_->forward(torch::randn({8, 8})).mean();
    loss.backward();
    opt_.step();
    numbers_.defer([loss] { loss.item<float>(); });
    settle();
  }
  void settle();

private:
  Numbers &numbers_;
  torch::nn::Linear net_;
  torch::optim::SGD opt_;
};

void settledElsewhere() {
  Numbers numbers;
  Elsewhere trainer(numbers, 8);
  for (int i = 0; i < 100; ++i)
    trainer.step();
}
