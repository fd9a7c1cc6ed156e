// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// Records in a memory, of which one field has a graph and another one is trained with.
#include <torch/torch.h>
#include <deque>
#include <vector>
using torch::Tensor;

struct Transition {
  Tensor latent, command;
};

//===-- Nothing runs the graphs -------------------------------------------------===//

class Memory {
public:
  void add(Transition t) {
    if (all_.size() == 2000)
      all_.pop_front();
    all_.push_back(std::move(t)); // expected-note {{what is added to 'all_' (a member) carries a graph that is never run backward}} [tensor-retained-activation]
  }
  Tensor commands() const {
    std::vector<Tensor> out;
    for (const auto &each : all_)
      out.push_back(each.command);
    return torch::stack(out);
  }

private:
  std::deque<Transition> all_; // expected-path {{'all_' is declared here and outlives the step}}
};

void trainOnCommands(torch::nn::Linear encoder, torch::nn::Linear costs, torch::optim::SGD &opt) {
  Memory memory;
  for (int i = 0; i < 100; ++i) {
    auto latent = encoder->forward(torch::randn({1, 120})); // expected-path {{the graph starts here}}
    auto command = torch::randn({6});
    memory.add({latent, command}); // expected-path {{called here in every step}}
    opt.zero_grad();
    costs->forward(memory.commands()).mean().backward();
    opt.step();
  }
}

//===-- The field with the graph is trained with, or may be ----------------------===//

struct Pair {
  Tensor latent, command;
};

class Pairs {
public:
  void add(Pair t) {
    if (all_.size() == 2000)
      all_.pop_front();
    all_.push_back(std::move(t));
  }
  Tensor latents() const {
    std::vector<Tensor> out;
    for (const auto &each : all_)
      out.push_back(each.latent);
    return torch::stack(out);
  }

private:
  std::deque<Pair> all_;
};

void trainOnLatents(torch::nn::Linear encoder, torch::nn::Linear costs, torch::optim::SGD &opt) {
  Pairs memory;
  for (int i = 0; i < 100; ++i) {
    auto latent = encoder->forward(torch::randn({1, 120}));
    memory.add({latent, torch::randn({6})});
    opt.zero_grad();
    costs->forward(memory.latents()).mean().backward();
    opt.step();
  }
}

struct Sample {
  Tensor latent, command;
};

class Samples {
public:
  void add(Sample t) {
    if (all_.size() == 2000)
      all_.pop_front();
    all_.push_back(std::move(t));
  }
  Sample newest() const { return all_.back(); } // who gets it may run it backward

private:
  std::deque<Sample> all_;
};

void givesWhole(Samples &memory, torch::nn::Linear encoder) {
  for (int i = 0; i < 100; ++i) {
    auto latent = encoder->forward(torch::randn({1, 120}));
    memory.add({latent, torch::randn({6})});
  }
}

struct Detached {
  Tensor latent, command;
};

class DetachedMemory {
public:
  void add(Detached t) {
    if (all_.size() == 2000)
      all_.pop_front();
    all_.push_back(std::move(t));
  }
  Tensor commands() const { return all_.back().command; }

private:
  std::deque<Detached> all_;
};

void detachesFirst(torch::nn::Linear encoder, torch::nn::Linear costs, torch::optim::SGD &opt) {
  DetachedMemory memory;
  for (int i = 0; i < 100; ++i) {
    torch::NoGradGuard no_grad;
    auto latent = encoder->forward(torch::randn({1, 120}));
    memory.add({latent, torch::randn({6})});
  }
}
