// What threads compute, and what comes back from them.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <future>
#include <iostream>
#include <thread>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

void kept(torch::nn::Linear net) {
  std::vector<Tensor> results; // expected-path {{'results' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    std::future<Tensor> result =
        std::async(std::launch::async, [&] { return net->forward(torch::randn({4, 8})); }); // expected-path {{the graph starts here}}
    results.push_back(result.get()); // expected-warning {{what is added to 'results' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
  std::cout << results.size();
}

void kept_without_grad(torch::nn::Linear net) {
  std::vector<Tensor> results;
  for (int i = 0; i < 100; ++i) {
    auto result = std::async(std::launch::async, [&] {
      torch::NoGradGuard guard;
      return net->forward(torch::randn({4, 8}));
    });
    results.push_back(result.get());
  }
  std::cout << results.size();
}

void used_at_once(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    auto result = std::async(std::launch::async, [&] { return net(torch::randn({4, 8})).mean(); });
    optimizer.zero_grad();
    result.get().backward();
    optimizer.step();
  }
}

struct Server {
  torch::nn::Linear net{8, 8};
  std::vector<Tensor> done; // expected-path {{'done' is declared here and outlives the step}}
  bool stop = false;
  void work() {
    while (!stop)
      done.push_back(net(torch::randn({4, 8}))); // expected-warning {{what is added to 'done' (a member) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
};
void serve() {
  Server server;
  std::thread worker(&Server::work, &server);
  worker.join();
}

struct CleanServer {
  torch::nn::Linear net{8, 8};
  std::vector<Tensor> done;
  bool stop = false;
  void work() {
    torch::NoGradGuard guard;
    while (!stop) {
      done.push_back(net(torch::randn({4, 8})));
      if (done.size() > 8)
        done.erase(done.begin());
    }
  }
};
void serve_cleanly() {
  CleanServer server;
  std::thread worker(&CleanServer::work, &server);
  worker.join();
}
