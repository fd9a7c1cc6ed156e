// Functions that a method adds to its object's list, with what they capture.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <functional>
#include <utility>
#include <vector>

using torch::Tensor;

class Deferred {
public:
  using Job = std::function<double()>;
  void later(Job job) {
    jobs_.emplace_back(std::move(job)); // expected-note {{'jobs_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  double report() {
    double sum = 0;
    for (auto &job : jobs_)
      sum += job();
    return sum;
  }

private:
  std::vector<Job> jobs_; // expected-path {{'jobs_' is declared here and outlives the step}}
};

void train(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  Deferred deferred;
  for (int i = 0; i < 1000; ++i) {
    optimizer.zero_grad();
    auto y = net(torch::rand({4, 8}));
    y.sum().backward();
    optimizer.step();
    deferred.later([out = y.detach()] { return out.sum().item<double>(); }); // expected-path {{called here in every step}}
  }
  deferred.report();
}

//===-- Near misses -----------------------------------------------------------------===//

class Emptied {
public:
  using Job = std::function<double()>;
  void later(Job job) { jobs_.emplace_back(std::move(job)); }
  double report() {
    double sum = 0;
    for (auto &job : jobs_)
      sum += job();
    jobs_.clear();
    return sum;
  }

private:
  std::vector<Job> jobs_;
};

void train_and_empty(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  Emptied deferred;
  for (int i = 0; i < 1000; ++i) {
    optimizer.zero_grad();
    auto y = net(torch::rand({4, 8}));
    y.sum().backward();
    optimizer.step();
    deferred.later([out = y.detach()] { return out.sum().item<double>(); });
    deferred.report();
  }
}

class OfRound {
public:
  using Job = std::function<double()>;
  void later(Job job) { jobs_.emplace_back(std::move(job)); }
  double report() {
    double sum = 0;
    for (auto &job : jobs_)
      sum += job();
    return sum;
  }

private:
  std::vector<Job> jobs_;
};

void train_by_rounds(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 1000; ++i) {
    OfRound deferred;
    optimizer.zero_grad();
    auto y = net(torch::rand({4, 8}));
    y.sum().backward();
    optimizer.step();
    deferred.later([out = y.detach()] { return out.sum().item<double>(); });
    deferred.report();
  }
}
