// A member of a temporary has the temporary's value.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <iostream>

using torch::Tensor;

struct Out { Tensor logits; std::pair<Tensor, Tensor> hidden; };
struct Pair : torch::nn::Module {
  torch::nn::Linear a = register_module("a", torch::nn::Linear(8, 8));
  std::pair<Tensor, Tensor> forward(Tensor x) { auto h = a(x); return {h.sum(), h}; }
  Out run(Tensor x) { auto h = a(x); return {h.sum(), {h, h.relu()}}; } // expected-path {{the graph starts here}}
  std::tuple<Tensor, Tensor> both(Tensor x) { auto h = a(x); return std::make_tuple(h.sum(), h); } // expected-path {{the graph starts here}}
};
static void t1(Pair &net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    kept.push_back(net.forward(torch::rand({4, 8})).second); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}
static void t2(Pair &net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    kept.push_back(net.run(torch::rand({4, 8})).hidden.first); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-fix {{.detach()}}
}
static void t3(std::shared_ptr<Pair> net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    kept.push_back(net->run(torch::rand({4, 8})).logits); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-fix {{.detach()}}
  std::cout << kept.size();
}
static void t4(Pair &net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    kept.push_back(std::get<1>(net.both(torch::rand({4, 8})))); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
}
static void t5(Pair &net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto [l, h] = net.both(torch::rand({4, 8}));
    kept.push_back(h); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-fix {{.detach()}}
    auto out = net.run(torch::rand({4, 8}));
    kept.push_back(out.logits); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}
static Out free_run(Pair &net, Tensor x) { return net.run(x); }
static void t6(Pair &net) {
  Tensor total = torch::zeros({}); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    total = total + free_run(net, torch::rand({4, 8})).logits; // expected-warning {{'total' (declared outside the loop)}} [tensor-retained-activation]
  std::cout << total.item<float>();
}
static void t7(torch::nn::LSTM lstm) {
  Tensor h = torch::zeros({1, 4, 8}), c = torch::zeros({1, 4, 8}); // expected-path {{'h' is declared here and outlives the step}} expected-path {{'c' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto state = std::get<1>(lstm->forward(torch::rand({2, 4, 8}), std::make_tuple(h, c))); // expected-path {{the graph starts here}}
    h = std::get<0>(state); // expected-warning {{'h' (declared outside the loop)}} [tensor-retained-activation]
    c = std::get<1>(state); // expected-warning {{'c' (declared outside the loop)}} [tensor-retained-activation]
  }
}

int use_c8_temps() {
  auto p = std::make_shared<Pair>();
  t1(*p); t2(*p); t3(p); t4(*p); t5(*p); t6(*p);
  t7(torch::nn::LSTM(8, 8));
  return 0;
}

//===-- Near misses -------------------------------------------------------===//

namespace near_misses {

struct Out { Tensor logits; std::pair<Tensor, Tensor> hidden; };
struct Pair : torch::nn::Module {
  torch::nn::Linear a = register_module("a", torch::nn::Linear(8, 8));
  std::pair<Tensor, Tensor> forward(Tensor x) { auto h = a(x); return {h.sum(), h}; }
  Out run(Tensor x) { auto h = a(x); return {h.sum(), {h, h.relu()}}; }
};

int use_c8_temps_clean() {
  auto net = std::make_shared<Pair>();
  torch::optim::SGD opt(net->parameters(), 0.1);
  std::vector<Tensor> kept, some;
  // training of an input, through a member of a temporary
  auto input = torch::rand({4, 8}, torch::requires_grad());
  torch::optim::SGD on_input({input}, 0.1);
  for (int i = 0; i < 100; ++i) {
    on_input.zero_grad();
    net->run(input).logits.backward();
    on_input.step();
  }
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    auto loss = net->forward(torch::rand({4, 8})).first;
    loss.backward();
    opt.step();
    kept.push_back(net->run(torch::rand({4, 8})).logits.detach());
  }
  for (int i = 0; i < 4; ++i)
    some.push_back(net->run(torch::rand({4, 8})).hidden.first.sum());
  opt.zero_grad();
  torch::stack(some).sum().backward();
  opt.step();
  return 0;
}

} // namespace near_misses
