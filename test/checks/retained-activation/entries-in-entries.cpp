// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// Maps of maps: the same key inside a new entry replaces nothing.
#include <torch/torch.h>
#include <map>
#include <string>
#include <vector>
using torch::Tensor;

class Server {
public:
  void submit(int round, int client, Tensor update) {
    inbox_[round].emplace(client, std::move(update)); // expected-note {{'inbox_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  Tensor read(int round) { return inbox_.at(round).at(0).sum(); }

private:
  std::map<int, std::map<int, Tensor>> inbox_; // expected-path {{'inbox_' is declared here and outlives the step}}
};

class Recent { // the same rounds again
public:
  void submit(int round, int client, Tensor update) {
    inbox_[round % 4][client] = std::move(update);
  }
  Tensor read(int round) { return inbox_.at(round % 4).at(0).sum(); }

private:
  std::map<int, std::map<int, Tensor>> inbox_;
};

class Named { // the same names again
public:
  void submit(const std::string &kind, int client, Tensor update) {
    inbox_[kind][client] = std::move(update);
  }
  Tensor read() { return inbox_.at("weight").at(0).sum(); }

private:
  std::map<std::string, std::map<int, Tensor>> inbox_;
};

class Slots { // a list has the entries that it has
public:
  Slots() : slots_(8) {}
  void submit(int slot, int client, Tensor update) { slots_[slot][client] = std::move(update); }
  Tensor read(int slot) { return slots_[slot].at(0).sum(); }

private:
  std::vector<std::map<int, Tensor>> slots_;
};

static Tensor weights(const torch::nn::Linear &client) { return client->weight.detach().clone(); }

void serve(std::vector<torch::nn::Linear> &clients) {
  Server server;
  Recent recent;
  Named named;
  Slots slots;
  for (int round = 0; round < 60; ++round) {
    for (size_t c = 0; c < clients.size(); ++c) {
      torch::optim::SGD opt(clients[c]->parameters(), 0.1);
      opt.zero_grad();
      clients[c]->forward(torch::randn({8, 8})).sum().backward();
      opt.step();
      server.submit(round, static_cast<int>(c), weights(clients[c]));
      recent.submit(round, static_cast<int>(c), weights(clients[c]));
      named.submit("weight", static_cast<int>(c), weights(clients[c]));
      slots.submit(round, static_cast<int>(c), weights(clients[c]));
    }
    server.read(round).item<float>();
  }
}
