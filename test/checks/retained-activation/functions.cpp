// What lambdas capture by copy stays as long as the list of functions that they stand in.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>

using torch::Tensor;
using Callbacks = std::vector<std::function<void()>>;

void publish(double value);
void run_all(Callbacks &all);

static Callbacks at_exit; // expected-path {{'at_exit' is declared here and outlives the step}}

static void later(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto y = net(torch::rand({4, 8})); // expected-path {{the graph starts here}}
    at_exit.push_back([y, i] { publish(y.sum().item<double>() * i); }); // expected-warning {{'at_exit' (a global) still carries its graph}} [tensor-retained-activation]
  }
  for (auto &each : at_exit)
    each();
}

class Reports {
public:
  void add(const std::string &name, Tensor loss) {
    reports_[name + std::to_string(count_++)] = nullptr;
    printers_.emplace_back([loss] { publish(loss.item<double>()); }); // expected-note {{'printers_' (a member)}} [tensor-retained-activation]
  }
  void print() {
    for (auto &each : printers_)
      each();
  }

private:
  std::map<std::string, std::function<void()>> reports_;
  Callbacks printers_; // expected-path {{'printers_' is declared here and outlives the step}}
  int count_ = 0;
};

static void train(torch::nn::Linear net, torch::optim::SGD &opt) {
  Reports reports;
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    opt.zero_grad();
    loss.backward();
    opt.step();
    reports.add("loss", loss); // expected-path 2 {{called here in every step}}
  }
  reports.print();
}

//===-- Near misses --------------------------------------------------------===//

class Pool {
public:
  void add(Tensor y) {
    tasks_.push([y] { publish(y.sum().item<double>()); });
  }
  void run() {
    while (!tasks_.empty()) {
      auto task = std::move(tasks_.front());
      tasks_.pop();
      task();
    }
  }

private:
  std::queue<std::function<void()>> tasks_;
};

static void done_in_each_step(torch::nn::Linear net) {
  Pool pool;
  Callbacks cleared, swapped, moved, assigned, unseen;
  for (int i = 0; i < 1000; ++i) {
    auto y = net(torch::rand({4, 8}));
    auto print = [y] { publish(y.sum().item<double>()); };
    pool.add(y);
    pool.run();
    cleared.push_back([y] { publish(y.sum().item<double>()); });
    cleared.clear();
    swapped.push_back([y] { publish(y.sum().item<double>()); });
    Callbacks now;
    std::swap(now, swapped);
    moved.push_back([y] { publish(y.sum().item<double>()); });
    auto all = std::move(moved);
    assigned.push_back([y] { publish(y.sum().item<double>()); });
    assigned = {};
    unseen.push_back([y] { publish(y.sum().item<double>()); });
    run_all(unseen);
    print();
  }
}

static void run_by_the_function(torch::nn::Linear net) {
  Callbacks runs;
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({4, 8})).sum();
    runs.push_back([loss] { loss.backward(); });
    runs.back()();
  }
}

static void of_no_graph(torch::nn::Linear net) {
  Callbacks by_number, by_reference;
  Tensor y;
  for (int i = 0; i < 1000; ++i) {
    y = net(torch::rand({4, 8}));
    auto sum = y.sum().item<double>();
    by_number.push_back([sum] { publish(sum); });
    by_reference.push_back([&y] { publish(y.sum().item<double>()); });
  }
}

// Handed to a function that keeps it.
class Queue {
public:
  void later(std::function<void()> what) {
    all_.push_back(std::move(what)); // expected-warning {{what is added to 'all_' (a member) still carries its graph}} [tensor-retained-activation]
  }
  void run() {
    for (auto &each : all_)
      each();
  }

private:
  std::vector<std::function<void()>> all_; // expected-path {{'all_' is declared here}}
};
class EmptiedQueue {
public:
  void later(std::function<void()> what) { pending_.push_back(std::move(what)); }
  void run() {
    for (auto &each : pending_)
      each();
    pending_.clear();
  }

private:
  std::vector<std::function<void()>> pending_;
};
static void by_a_queue(torch::nn::Linear net) {
  Queue queue;
  EmptiedQueue emptied;
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    queue.later([loss] { publish(loss.item<double>()); }); // expected-path {{called here}}
    queue.later([&loss] { publish(loss.item<double>()); });
    emptied.later([loss] { publish(loss.item<double>()); });
    emptied.run();
  }
}

int main() {
  torch::nn::Linear net(8, 8);
  torch::optim::SGD opt(net->parameters(), 0.1);
  later(net);
  train(net, opt);
  done_in_each_step(net);
  run_by_the_function(net);
  of_no_graph(net);
  by_a_queue(net);
}
