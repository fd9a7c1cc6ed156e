// Programs that train and then serve, generate or evaluate, a mode each; and their harmless twins.
#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using torch::Tensor;

struct NetImpl : torch::nn::Module {
  torch::nn::Linear Hidden{register_module("hidden", torch::nn::Linear(32, 64))};
  torch::nn::Linear Out{register_module("out", torch::nn::Linear(64, 16))};
  Tensor forward(const Tensor &X) { return Out(torch::relu(Hidden(X))); }
};
TORCH_MODULE(Net);

static void train(Net &Model, int Steps) {
  torch::optim::Adam Optimizer(Model->parameters(), 1e-3);
  for (int I = 0; I < Steps; ++I) {
    Optimizer.zero_grad();
    (Model(torch::randn({8, 32})) - 1).pow(2).mean().backward();
    Optimizer.step();
  }
}

static Tensor answer(Net &Model) {
  torch::NoGradGuard Guard;
  return torch::softmax(Model(torch::randn({8, 32})), 1); // keeps: served, generated, evaluated
}

static std::vector<Tensor> Answers;

static void serves(bool Keeps) {
  Net Model;
  train(Model, 60);
  for (int I = 0; I < 150; ++I)
    if (Tensor Y = answer(Model); Keeps)
      Answers.push_back(Y);
}
static void served() { serves(true); }
static void cleanserver() { serves(false); }

/// What is generated is a local variable's, until the program ends.
static void generated() {
  Net Model;
  train(Model, 80);
  std::vector<Tensor> Samples;
  for (int I = 0; I < 200; ++I)
    Samples.push_back(answer(Model));
}
static void text() {
  Net Model;
  train(Model, 80);
  std::string Text;
  for (int I = 0; I < 200; ++I)
    Text += std::to_string(answer(Model).argmax().item<int64_t>());
}

static double mean(Net &Model) {
  std::vector<Tensor> Outputs;
  for (int I = 0; I < 60; ++I)
    Outputs.push_back(answer(Model));
  return torch::cat(Outputs).mean().item<double>();
}

/// After each of three epochs, of which two are enough.
static void evaluated() {
  Net Model;
  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    train(Model, 40);
    for (int I = 0; I < 60; ++I)
      Answers.push_back(answer(Model));
  }
}
static void metric() {
  Net Model;
  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    train(Model, 40);
    mean(Model);
  }
}
/// Once, at the end: all that grows is used as a whole and freed.
static void tested() {
  Net Model;
  train(Model, 60);
  mean(Model);
}
static void onlytested() {
  Net Model;
  mean(Model);
}

/// Actions are forgotten when the states are.
static void plays(bool Keeps) {
  Net Model;
  std::vector<Tensor> States, Actions;
  for (int I = 1; I <= 430; ++I) {
    States.push_back(torch::randn({1, 32}));
    Actions.push_back(answer(Model).mean(0)); // keeps: played
    if (I % 50)
      continue;
    train(Model, 4);
    States.clear();
    if (!Keeps)
      Actions.clear();
  }
}
static void played() { plays(true); }
static void rollouts() { plays(false); }

int main(int, char **Arguments) {
  torch::set_num_threads(1);
  const std::map<std::string, std::function<void()>> Modes{
      {"served", served},         {"cleanserver", cleanserver}, {"generated", generated},
      {"text", text},             {"evaluated", evaluated},     {"metric", metric},
      {"tested", tested},         {"onlytested", onlytested},   {"played", played},
      {"rollouts", rollouts}};
  Modes.at(Arguments[1])();
  std::cout << "done\n";
}
