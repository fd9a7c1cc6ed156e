// Loops over the parts of a network whose bodies stand in a function, a lambda or an algorithm,
// and loops over objects that own a network: their rounds are one step.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

using torch::Tensor;

Tensor next_chunk(int step);

//===-- The part is chosen in a callee ----------------------------------------===//

static void one_layer(Tensor &x, std::vector<torch::nn::Linear> &layers, size_t i) {
  x = torch::relu(layers[i]->forward(x));
}

void layer_by_layer(std::vector<torch::nn::Linear> layers, float &sum) {
  auto x = next_chunk(0);
  for (size_t i = 0; i < layers.size(); ++i)
    one_layer(x, layers, i);
  sum = x.sum().item<float>();
}

void always_the_first(std::vector<torch::nn::Linear> layers, float &sum) {
  auto x = next_chunk(0); // expected-path {{'x' is declared here and outlives the step}}
  auto once = [&](size_t i) {
    x = torch::relu(layers[i]->forward(x)); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  };
  for (size_t step = 0; step < 1000; ++step)
    once(0); // expected-path {{called here in every step}}
  sum = x.sum().item<float>();
}

//===-- Entries for each part -------------------------------------------------===//

struct Tapped : torch::nn::Module {
  std::vector<torch::nn::Linear> layers;
  std::map<int, Tensor> by_index, of_all; // expected-path {{'of_all' is declared here and outlives the step}}
  std::map<std::string, Tensor> by_name;
  int count = 0;

  Tensor forward(Tensor x) {
    for (size_t i = 0; i < layers.size(); ++i)
      [&] {
        x = layers[i]->forward(x);
        by_index[i] = x;
      }();
    int k = 0;
    std::for_each(layers.begin(), layers.end(), [&](torch::nn::Linear &layer) {
      x = layer(x);
      by_name["layer" + std::to_string(k++)] = x;
    });
    for (size_t i = 0; i < layers.size(); ++i)
      [&] {
        x = layers[i]->forward(x); // expected-path {{the graph starts here}}
        of_all[count++] = x; // expected-warning {{'of_all' (a member)}} [tensor-retained-activation]
      }();
    return x;
  }
};

//===-- Stages that own a network each ---------------------------------------===//

struct Stage {
  torch::nn::Linear net{64, 64};
  Tensor run(Tensor x) { return torch::relu(net(x)); } // expected-path {{the graph starts here}}
};
struct Filter {
  Tensor run(torch::nn::Linear net, Tensor x) { return net(x); } // expected-path {{the graph starts here}}
};

void stages_by_index(std::vector<std::unique_ptr<Stage>> stages, float &sum) {
  auto x = next_chunk(0);
  for (size_t i = 0; i < stages.size(); ++i)
    x = stages[i]->run(x);
  sum = x.sum().item<float>();
}

static void apply(Tensor &x, std::vector<std::unique_ptr<Stage>> &all, size_t i) {
  x = all[i]->run(x);
}

void stages_by_a_callee(std::vector<std::unique_ptr<Stage>> stages, float &sum) {
  auto x = next_chunk(0);
  for (size_t i = 0; i < stages.size(); ++i)
    apply(x, stages, i);
  sum = x.sum().item<float>();
}

static void apply_one(Tensor &x, Stage &stage, torch::nn::Linear &net) {
  x = stage.run(net(x)); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
}

void one_stage_by_a_callee(Stage stage, torch::nn::Linear net, float &sum) {
  auto x = next_chunk(0); // expected-path {{'x' is declared here and outlives the step}}
  for (size_t i = 0; i < 1000; ++i)
    apply_one(x, stage, net); // expected-path {{called here in every step}}
  sum = x.sum().item<float>();
}

void stages_by_algorithm(std::vector<Stage> stages, float &sum) {
  auto x = next_chunk(0);
  std::for_each(stages.begin(), stages.end(), [&](Stage &stage) { x = stage.run(x); });
  sum = x.sum().item<float>();
}

void one_network_by_index(torch::nn::Linear net, std::vector<Filter> filters, float &sum) {
  auto x = next_chunk(0); // expected-path {{'x' is declared here and outlives the step}}
  for (size_t i = 0; i < filters.size(); ++i)
    x = filters[i].run(net, x); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  sum = x.sum().item<float>();
}

//===-- States of one step ------------------------------------------------------===//

static float states_of_one_step(torch::nn::Linear &f) {
  std::vector<Tensor> h(4, torch::zeros({1, 64}));
  for (int i = 0; i < 4; ++i)
    h[i] = torch::tanh(f(h[i]));
  return h[3].sum().item<float>();
}

static void next_state(std::vector<Tensor> &h, int i, torch::nn::Linear &f) {
  h[i] = torch::tanh(f(h[i])); // expected-warning {{'h' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

static float states_by_a_callee(torch::nn::Linear &f) {
  std::vector<Tensor> h(4, torch::zeros({1, 64}));
  for (int i = 0; i < 4; ++i)
    next_state(h, i, f);
  return h[3].sum().item<float>();
}

static float one_state_by_a_callee(torch::nn::Linear &f) {
  std::vector<Tensor> h(4, torch::zeros({1, 64})); // expected-path {{'h' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i)
    next_state(h, 0, f); // expected-path {{called here in every step}}
  return h[3].sum().item<float>();
}

static float outputs_of_an_epoch(torch::nn::Linear &f) {
  std::vector<Tensor> outputs(1000); // expected-path {{'outputs' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i)
    outputs[i] = f(next_chunk(i)); // expected-warning {{'outputs' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return torch::stack(outputs).mean().item<float>();
}

void epochs(torch::nn::Linear f, std::vector<float> &sums) {
  for (int step = 0; step < 1000; ++step)
    sums.push_back(states_of_one_step(f) + states_by_a_callee(f) + one_state_by_a_callee(f) +
                   outputs_of_an_epoch(f));
}
