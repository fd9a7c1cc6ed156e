// Several optimizers in one class or function: a reset of one, of its module or of its tensor
// is none of another.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

struct Body : torch::nn::Module {
  torch::nn::Linear encoder = register_module("encoder", torch::nn::Linear(4, 4));
  torch::nn::Linear head = register_module("head", torch::nn::Linear(4, 4));
};

//===-- Members -------------------------------------------------------------===//

class ActorCritic {
public:
  ActorCritic() : actor_steps(actor->parameters(), 0.1) {
    critic_steps = std::make_unique<torch::optim::SGD>(critic->parameters(), 0.1);
  }
  void learn() {
    for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
      actor->zero_grad();
      critic(actor(next_batch())).sum().backward(); // expected-path {{added to the old ones}}
      actor_steps.step();
      critic_steps->step(); // expected-warning {{'critic_steps'}} [tensor-missing-zero-grad]
    }
  }

private:
  torch::nn::Linear actor{4, 4}, critic{4, 1};
  torch::optim::SGD actor_steps;
  std::unique_ptr<torch::optim::SGD> critic_steps;
};

class Gain {
public:
  Gain() : net_steps(net->parameters(), 0.1), gain_steps({gain}, 0.1) {}
  void learn() {
    for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
      net->zero_grad();
      (net(next_batch()) * gain).sum().backward(); // expected-path {{added to the old ones}}
      net_steps.step();
      gain_steps.step(); // expected-warning {{'gain_steps'}} [tensor-missing-zero-grad]
    }
  }

private:
  torch::nn::Linear net{4, 4};
  Tensor gain = torch::ones({4}, torch::requires_grad());
  torch::optim::SGD net_steps, gain_steps;
};

// The module that is reset has what is stepped as a part, or is made of it.
class Whole {
public:
  Whole() : encoder_steps(body.encoder->parameters(), 0.1), both_steps(both->parameters(), 0.1) {}
  void learn() {
    for (int i = 0; i < 100; ++i) {
      body.zero_grad();
      body.encoder(next_batch()).sum().backward();
      encoder_steps.step();
    }
  }
  void learn_both() {
    for (int i = 0; i < 100; ++i) {
      first->zero_grad();
      second->zero_grad();
      both->forward(next_batch()).sum().backward();
      both_steps.step();
    }
  }

private:
  Body body;
  torch::nn::Linear first{4, 4}, second{4, 4};
  torch::nn::Sequential both{first, second};
  torch::optim::SGD encoder_steps, both_steps;
};

// The tensor is a parameter of a module.
class Registered {
public:
  Registered() : gain_steps({gain}, 0.1) { holder.register_parameter("gain", gain); }
  void learn() {
    for (int i = 0; i < 100; ++i) {
      holder.zero_grad();
      (next_batch() * gain).sum().backward();
      gain_steps.step();
    }
  }

private:
  Body holder;
  Tensor gain = torch::ones({4}, torch::requires_grad());
  torch::optim::SGD gain_steps;
};

//===-- Made by a function --------------------------------------------------===//

static std::unique_ptr<torch::optim::SGD> make(double rate, torch::nn::Linear net) {
  return std::make_unique<torch::optim::SGD>(net->parameters(), rate);
}

static void of_a_factory(torch::nn::Linear net, torch::nn::Linear other) {
  auto steps = make(0.1, net), other_steps = make(0.2, other);
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    other->zero_grad();
    (net(next_batch()).sum() + other(next_batch()).sum()).backward(); // expected-path {{added to the old ones}}
    steps->step(); // expected-warning {{'steps'}} [tensor-missing-zero-grad]
    other_steps->step();
  }
}

//===-- Parts, and lists ----------------------------------------------------===//

static void parts_of_one_module() {
  Body body;
  torch::optim::SGD encoder_steps(body.encoder->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    body.zero_grad();
    body.encoder(next_batch()).sum().backward();
    encoder_steps.step();
  }
}

static void list(torch::nn::Linear net) {
  std::vector<std::shared_ptr<torch::optim::SGD>> all, resetting;
  all.push_back(std::make_shared<torch::optim::SGD>(net->parameters(), 0.1));
  resetting.push_back(std::make_shared<torch::optim::SGD>(net->parameters(), 0.1));
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    net(next_batch()).sum().backward(); // expected-path {{added to the old ones}}
    for (auto &steps : all)
      steps->step(); // expected-warning {{'all'}} [tensor-missing-zero-grad]
  }
  for (int i = 0; i < 100; ++i) {
    for (auto &steps : resetting)
      steps->zero_grad();
    net(next_batch()).sum().backward();
    for (auto &steps : resetting)
      steps->step();
  }
}

// Every fourth round, on purpose.
static void accumulates(torch::nn::Linear net) {
  torch::optim::SGD steps(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    (net(next_batch()).sum() / 4).backward();
    if (i % 4 == 3) {
      steps.step();
      steps.zero_grad();
    }
  }
}

int main() {
  ActorCritic().learn();
  Gain().learn();
  Whole().learn();
  Whole().learn_both();
  Registered().learn();
  of_a_factory(torch::nn::Linear(4, 4), torch::nn::Linear(4, 4));
  parts_of_one_module();
  list(torch::nn::Linear(4, 4));
  accumulates(torch::nn::Linear(4, 4));
}
