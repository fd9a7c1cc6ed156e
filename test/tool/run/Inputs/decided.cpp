// What the source checks find here, a mode each, and harmless twins on lines that are found too:
// the run has a verdict for each.
#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using torch::nn::Linear;

constexpr int Rounds = 80;

/// Keeps its answers with their graphs, and so what the caller asked.
struct Server {
  Linear Net{64, 10};
  std::vector<Tensor> Answers;
  void answer(Tensor Request) {
    Tensor Out = Net(Request);
    Answers.push_back(Out); // keeps: answers
  }
};

static void answers() {
  Server S;
  for (int I = 0; I < Rounds; ++I)
    S.answer(torch::randn({16, 64}));
}

static Tensor frame() {
  float *Data = new float[100 * 100];
  for (int I = 0; I < 100 * 100; ++I)
    Data[I] = I;
  return torch::from_blob(Data, {100, 100}); // keeps: frames
}

static void frames() {
  torch::NoGradGuard Guard;
  for (int I = 0; I < Rounds; ++I)
    frame().mean();
}

/// What the optimizer owns is made in its step.
static void task(Linear &Net) {
  auto *Opt = new torch::optim::Adam(Net->parameters()); // keeps: tasks
  for (int I = 0; I < 2; ++I) {
    Opt->zero_grad();
    Net(torch::randn({8, 64})).mean().backward();
    Opt->step();
  }
}

static void tasks() {
  Linear Net(64, 64);
  for (int I = 0; I < Rounds; ++I)
    task(Net);
}

struct Knows {
  Tensor State;
  std::shared_ptr<Knows> Parent;
  std::vector<std::shared_ptr<Knows>> Children;
};

struct Finds {
  Tensor State;
  std::weak_ptr<Finds> Parent;
  std::vector<std::shared_ptr<Finds>> Children;
};

template <typename Node> void link() {
  auto Root = std::make_shared<Node>();
  auto Child = std::make_shared<Node>();
  Child->State = torch::randn({256});
  Child->Parent = Root;
  Root->Children.push_back(Child); // keeps: tree, and nothing in orphans
}

static void tree() {
  for (int I = 0; I < Rounds; ++I)
    link<Knows>();
}

static void orphans() {
  for (int I = 0; I < Rounds; ++I)
    link<Finds>();
}

/// The class of the optimizer is described in LibTorch only.
static void heads() {
  Linear Body(32, 64);
  torch::optim::SGD Opt(Body->parameters(), 0.01);
  for (int I = 0; I < Rounds; ++I) {
    Linear Head(64, 8);
    Opt.add_param_group(torch::optim::OptimizerParamGroup(Head->parameters())); // keeps: heads
    Opt.zero_grad();
    Head(torch::relu(Body(torch::randn({8, 32})))).pow(2).mean().backward();
    Opt.step();
  }
}

struct Swish : torch::autograd::Function<Swish> {
  static Tensor forward(AutogradContext *Context, Tensor X) {
    Tensor Y = X * torch::sigmoid(X);
    Context->saved_data["x"] = X;
    Context->saved_data["y"] = Y; // keeps: activation
    return Y;
  }
  static variable_list backward(AutogradContext *Context, variable_list Gradients) {
    Tensor S = torch::sigmoid(Context->saved_data["x"].toTensor());
    return {Gradients[0] * (S + Context->saved_data["y"].toTensor() * (1 - S))};
  }
};

static void activation() {
  Linear Net(64, 128);
  torch::optim::SGD Opt(Net->parameters(), 0.01);
  for (int I = 0; I < Rounds; ++I) {
    Tensor Loss = Swish::apply(Net(torch::randn({32, 64}))).mean();
    Opt.zero_grad();
    Loss.backward();
    Opt.step();
  }
}

/// Nothing differentiates what the state is computed from, and the state keeps all of it.
static void states() {
  Linear Net(16, 16);
  Tensor State = torch::zeros({8, 16});
  for (int I = 0; I < Rounds; ++I)
    State = torch::tanh(Net(torch::randn({8, 16})) + State);
  std::cout << State.sum().item<float>() << '\n';
}

int main(int, char **Arguments) {
  torch::manual_seed(1);
  std::map<std::string, std::function<void()>> Modes{
      {"answers", answers}, {"frames", frames},   {"tasks", tasks},           {"tree", tree},
      {"heads", heads},     {"orphans", orphans}, {"activation", activation}, {"states", states}};
  Modes.at(Arguments[1])();
}
