// Grad mode belongs to a thread: a guard of the one that starts another does not reach it.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <thread>
#include <future>
#include <functional>
using torch::Tensor;
static float score(torch::nn::Sequential net, Tensor x) {
  auto y = net->forward(x); // expected-note {{what 'net' computes here is never differentiated, }} [tensor-missing-no-grad]
  return y.sum().item<float>();
}
static void worker(torch::nn::Linear net, float *out) {
  for (int i = 0; i < 100; ++i) { // expected-fix {{torch::NoGradGuard no_grad;}}
    auto y = net(torch::rand({4, 8})); // expected-warning {{what 'net' computes here is never differentiated, }} [tensor-missing-no-grad]
    *out += y.sum().item<float>();
  }
}
static float third(torch::nn::Linear net) {
  return net(torch::rand({4, 8})).sum().item<float>(); // expected-note {{what 'net' computes here is never differentiated, }} [tensor-missing-no-grad]
}
struct Server {
  torch::nn::Linear net{8, 8};
  float last = 0;
  void serve() {
    while (last < 5)
      last += net(torch::rand({4, 8})).mean().item<float>(); // expected-warning {{what 'net' computes here is never differentiated, }} [tensor-missing-no-grad]
  }
  void start() {
    torch::NoGradGuard guard;
    std::thread t(&Server::serve, this);
    t.join();
  }
};
int main() {
  torch::NoGradGuard no_grad;
  torch::nn::Sequential net(torch::nn::Linear(8, 8));
  torch::nn::Linear lin(8, 8);
  float sum = 0, out = 0;
  for (int i = 0; i < 100; ++i) {
    auto x = torch::rand({4, 8});
    std::thread t([&] { sum += score(net, x); });
    t.join();
  }
  std::thread w(worker, lin, &out);
  w.join();
  auto f = std::async(third, lin);
  std::vector<std::thread> pool;
  for (int i = 0; i < 4; ++i)
    pool.emplace_back([&, i] {
      auto y = lin(torch::rand({4, 8})); // expected-warning {{what 'lin' computes here is never differentiated, }} [tensor-missing-no-grad]
      sum += y.sum().item<float>();
    });
  for (auto &t : pool) t.join();
  Server s;
  s.start();
  return f.get();
}

//===-- Near misses -------------------------------------------------------===//

namespace near_misses {

static float score(torch::nn::Sequential net, Tensor x) {
  torch::NoGradGuard no_grad;
  return net->forward(x).sum().item<float>();
}
static float under(torch::nn::Linear net) { return net(torch::rand({4, 8})).sum().item<float>(); }
static void worker(torch::nn::Linear net, float *out) {
  torch::InferenceMode mode;
  for (int i = 0; i < 100; ++i)
    *out += under(net);
}
static float here(torch::nn::Linear net) { return net(torch::rand({4, 8})).sum().item<float>(); }
int use() {
  torch::nn::Sequential net(torch::nn::Linear(8, 8));
  torch::nn::Linear lin(8, 8);
  float sum = 0, out = 0;
  for (int i = 0; i < 100; ++i) {
    auto x = torch::rand({4, 8});
    std::thread t([&] { sum += score(net, x); });
    t.join();
  }
  std::thread w(worker, lin, &out);
  w.join();
  torch::NoGradGuard no_grad;
  auto f = [&] { return here(lin); };
  return f() + here(lin);
}

} // namespace near_misses
