// What an object does beside its list leaves the list alone: printing, numbers, getters, calls
// of code that is not seen and takes numbers.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

using torch::Tensor;

namespace logging {
void info(const char *fmt, ...);
void value(const std::string &name, double v);
}
void plot(const std::vector<Tensor> &all);
bool should_stop(float loss, int epoch);
#define LOG_INFO(...) logging::info(__VA_ARGS__)

class Monitor {
public:
  explicit Monitor(torch::nn::Linear net) : net_(net) {}
  void watch(const Tensor &x) {
    auto y = net_(x).pow(2).mean(); // expected-path {{the graph starts here}}
    losses_.push_back(y); // expected-warning {{'losses_' (a member)}} [tensor-retained-activation] expected-fix {{.detach()}}
    LOG_INFO("loss %f at %d", y.item<float>(), count_++);
    logging::value("loss", y.item<double>());
    std::ostringstream text;
    text << y.item<float>() << count();
    file_ << text.str();
  }
  size_t kept() const { return losses_.size(); }
  const Tensor &last() const { return losses_.back(); }
  int count() const { return count_; }
  float mean() const {
    float m = 0;
    for (const auto &l : losses_) m += l.item<float>();
    return m / losses_.size();
  }
private:
  torch::nn::Linear net_;
  std::vector<Tensor> losses_; // expected-path {{'losses_' is declared here and outlives the step}}
  std::ofstream file_{"log"};
  int count_ = 0;
};

struct Timer { Timer(); double elapsed(); std::chrono::steady_clock::time_point begin; };

struct Trainer {
  torch::nn::Linear net{8, 1};
  std::vector<Tensor> history; // expected-path {{'history' is declared here and outlives the step}}
  std::mt19937 rng{0};
  Timer timer;
  void run(int epochs) {
    for (int e = 0; e < epochs; ++e) {
      auto loss = net(torch::rand({4, 8})).mean(); // expected-path {{the graph starts here}}
      history.push_back(loss); // expected-warning {{'history' (a member)}} [tensor-retained-activation] expected-fix {{.detach()}}
      if (timer.elapsed() > 10 || should_stop(loss.item<float>(), e))
        break;
      std::uniform_int_distribution<int> d(0, 5);
      std::cout << d(rng) << *this;
    }
  }
  friend std::ostream &operator<<(std::ostream &o, const Trainer &t) {
    return o << t.history.size();
  }
};

struct Net : torch::nn::Module {
  torch::nn::Linear a = register_module("a", torch::nn::Linear(8, 8));
  std::vector<Tensor> seen; // expected-path {{'seen' is declared here and outlives the step}}
  Tensor forward(Tensor x) {
    auto y = a(x); // expected-path {{the graph starts here}}
    seen.push_back(y); // expected-warning {{'seen' (a member)}} [tensor-retained-activation] expected-fix {{.detach()}}
    return y.relu();
  }
  int64_t params() const {
    int64_t n = 0;
    for (auto &p : parameters()) n += p.numel();
    return n;
  }
};
static void describe(const Net &net) {
  std::cout << net.params() << " " << net.seen.size() << "\n";
}

int use_c1_members() {
  Monitor m(torch::nn::Linear(8, 1));
  Trainer t;
  t.run(10);
  Net net;
  describe(net);
  for (int i = 0; i < 1000; ++i) {
    m.watch(torch::rand({2, 8}));
    if (m.kept() > 5) std::cout << m.last() << m.mean();
    if (net.forward(torch::rand({1, 8})).sum().item<float>() > 3) describe(net);
  }
  return 0;
}
