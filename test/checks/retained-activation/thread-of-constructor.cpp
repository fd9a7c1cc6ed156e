// A thread that a constructor starts goes on while the object is used: what its function takes out
// of a member is taken out for good. What it only reads stays, and a method that constructors call
// themselves empties new objects alone.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <mutex>
#include <queue>
#include <thread>
#include <vector>

using torch::Tensor;

void publish(double value);

class Printer {
public:
  explicit Printer(torch::nn::Linear net) : net_(net) {
    threads_.emplace_back(&Printer::serve, this);
  }
  void answer(Tensor x) {
    auto y = net_(x); // expected-path {{the graph starts here}}
    std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push(y); // expected-note {{alive until it is emptied}} [tensor-retained-activation]
  }

private:
  void serve() {
    for (;;) {
      std::lock_guard<std::mutex> lock(mutex_);
      auto y = std::move(waiting_.front());
      waiting_.pop();
      publish(y.sum().item<double>());
    }
  }
  torch::nn::Linear net_;
  std::queue<Tensor> waiting_; // expected-path {{'waiting_' is declared here and outlives the step}}
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

class Reader {
public:
  explicit Reader(torch::nn::Linear net) : net_(net) {
    reset();
    thread_ = std::thread(&Reader::serve, this);
  }
  void answer(Tensor x) {
    auto y = net_(x); // expected-path {{the graph starts here}}
    answers_.push_back(y); // expected-warning {{'answers_' (a member) still carries its graph}} [tensor-retained-activation]
  }

private:
  void reset() { answers_.clear(); }
  void serve() {
    for (;;)
      publish(answers_.back().sum().item<double>());
  }
  torch::nn::Linear net_;
  std::vector<Tensor> answers_; // expected-path {{'answers_' is declared here and outlives the step}}
  std::thread thread_;
};
