// References and pointers lead to the holder itself: of accessors in view, iterators, bindings,
// smart pointers; entries may be pairs and records.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <iostream>
#include <map>
#include <optional>
#include <unordered_map>

using torch::Tensor;

static std::vector<Tensor> g_all; // expected-path {{'g_all' is declared here and outlives the step}}
static std::vector<Tensor> &all() { return g_all; }
static void a1(torch::nn::Linear net) { all().push_back(net(torch::rand({4, 8}))); } // expected-warning {{'g_all' (a global)}} [tensor-retained-activation] expected-path {{the graph starts here}}
struct Cache {
  static Cache &instance() { static Cache c; return c; }
  void put(int k, Tensor t) { map_[k] = t; } // expected-warning {{'map_' (a member)}} [tensor-retained-activation]
  std::map<int, Tensor> map_; // expected-path {{'map_' is declared here and outlives the step}}
};
struct Store {
  std::vector<Tensor> &of(const std::string &name) { return lists_[name]; }
  std::map<std::string, std::vector<Tensor>> lists_; // expected-path {{'lists_' is declared here and outlives the step}}
};
struct State { std::vector<Tensor> outs; Tensor sum = torch::zeros({}); int n = 0; }; // expected-path {{'outs' is declared here and outlives the step}} expected-path {{'sum' is declared here and outlives the step}}
class Agent {
public:
  State &state() { return state_; }
  State *ptr() { return &state_; }
private:
  State state_;
};
static void a2(torch::nn::Linear net, Agent &agent) {
  for (int i = 0; i < 10; ++i)
    agent.state().outs.push_back(net(torch::rand({4, 8}))); // expected-warning {{'outs' (a member)}} [tensor-retained-activation]
}
static void a3(torch::nn::Linear net) {
  Agent agent;
  for (int i = 0; i < 10; ++i)
    agent.ptr()->outs.emplace_back(net(torch::rand({4, 8}))); // expected-warning {{'outs' (a member)}} [tensor-retained-activation] expected-path {{the graph starts here}}
}
static void a4(torch::nn::Linear net) {
  Agent agent;
  for (int i = 0; i < 10; ++i)
    agent.state().sum = agent.state().sum + net(torch::rand({4, 8})).sum(); // expected-warning {{'sum' (a member)}} [tensor-retained-activation] expected-path {{the graph starts here}}
}
static void a5(torch::nn::Linear net) {
  auto kept = std::make_unique<std::vector<Tensor>>(); // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i)
    kept->push_back(net(torch::rand({4, 8}))); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  std::cout << kept->size();
}
static void a6(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  auto &ref = kept;
  auto *ptr = &kept;
  for (int i = 0; i < 10; ++i) {
    ref.push_back(net(torch::rand({4, 8}))); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    ptr->emplace_back(net(torch::rand({4, 8}))); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    (*ptr).push_back(net(torch::rand({4, 8}))); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
}
static void a7(torch::nn::Linear net) {
  std::unordered_map<std::string, std::vector<Tensor>> by; // expected-path {{'by' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    by["loss"].push_back(net(torch::rand({4, 8})).sum()); // expected-warning {{'by' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  }
  for (auto &[name, list] : by)
    std::cout << name << list.size();
}
static void a8(torch::nn::Linear net) {
  std::map<int, std::vector<Tensor>> by{{0, {}}, {1, {}}}; // expected-path {{'by' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i)
    for (auto &[k, list] : by)
      list.push_back(net(torch::rand({4, 8}))); // expected-warning {{'by' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
}
static void a9(torch::nn::Linear net) {
  std::optional<Tensor> total; // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    auto l = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    total = total ? *total + l : l; // expected-warning {{'total' (declared outside the loop)}} [tensor-retained-activation]
  }
  std::cout << total->item<float>();
}
static void a10(torch::nn::Linear net) {
  std::vector<std::pair<int, Tensor>> pairs; // expected-path {{'pairs' is declared here and outlives the step}}
  std::vector<std::tuple<Tensor, float>> tuples; // expected-path {{'tuples' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    auto y = net(torch::rand({4, 8})); // expected-path {{the graph starts here}}
    pairs.push_back({i, y}); // expected-warning {{'pairs' (declared outside the loop)}} [tensor-retained-activation]
    tuples.emplace_back(y, 1.f); // expected-warning {{'tuples' (declared outside the loop)}} [tensor-retained-activation]
    pairs.emplace_back(i, y); // expected-warning {{'pairs' (declared outside the loop)}} [tensor-retained-activation]
    pairs.push_back(std::make_pair(i, y)); // expected-warning {{'pairs' (declared outside the loop)}} [tensor-retained-activation]
  }
  float sum = 0;
  for (auto &[i, t] : pairs)
    sum += t.sum().item<float>();
  for (auto &t : tuples)
    sum += std::get<0>(t).sum().item<float>();
}
struct Sample { Tensor x, y; float w; };
static void a11(torch::nn::Linear net) {
  std::vector<Sample> samples; // expected-path {{'samples' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    auto x = torch::rand({4, 8});
    samples.push_back({x, net(x), 1.f}); // expected-warning {{'samples' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    Sample s;
    s.x = x;
    s.y = net(x); // expected-path {{the graph starts here}}
    samples.push_back(s); // expected-warning {{'samples' (declared outside the loop)}} [tensor-retained-activation]
  }
  float sum = 0;
  for (const Sample &s : samples)
    sum += s.y.sum().item<float>() * s.w;
}
static void a12(torch::nn::Linear net) {
  std::map<int, Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    outs.emplace(i, net(torch::rand({4, 8}))); // expected-warning {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    outs.insert({i + 100, net(torch::rand({4, 8}))}); // expected-warning {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    outs.try_emplace(i + 200, net(torch::rand({4, 8}))); // expected-warning {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
}

int use_c7_places() {
  torch::nn::Linear net(8, 8);
  Store store;
  Agent agent;
  for (int i = 0; i < 10; ++i) {
    a1(net);
    Cache::instance().put(i, net(torch::rand({4, 8}))); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
    store.of("x").push_back(net(torch::rand({4, 8}))); // expected-warning {{'lists_' (a member)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  a2(net, agent); a3(net); a4(net); a5(net); a6(net); a7(net); a8(net); a9(net); a10(net); a11(net); a12(net); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
  return 0;
}
