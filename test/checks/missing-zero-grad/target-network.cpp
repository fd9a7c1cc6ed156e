// A target network as a member: what it computes enters the loss with its graph, and its
// parameters are in no optimizer (row 27).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct QNetImpl : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  QNetImpl() { fc = register_module("fc", torch::nn::Linear(8, 4)); }
  Tensor forward(Tensor x) { return fc->forward(x).relu(); }
};
TORCH_MODULE(QNet);

class Attached {
  QNet online_, target_;
  torch::optim::Adam optimizer_{online_->parameters(), 0.1};

public:
  void update(Tensor states, Tensor next, Tensor rewards) {
    auto q = online_->forward(states);
    auto next_q = std::get<0>(target_->forward(next).max(1)); // expected-note {{'target_' is in no optimizer, yet every backward pass adds to the gradients of its parameters, and nobody uses or resets them; run it under 'torch::NoGradGuard'}} [tensor-missing-zero-grad]
    auto loss = torch::mse_loss(q, rewards + next_q * 0.99);
    optimizer_.zero_grad();
    loss.backward(); // expected-path {{gradients are added here}}
    optimizer_.step();
  }
};

// Its parameters follow those of the other: read and overwritten, never stepped.
class Synced {
  QNet online_, target_{QNet()};
  torch::optim::Adam optimizer_;

public:
  Synced() : optimizer_(online_->parameters(), 0.1) { sync(online_, target_); }
  static void sync(QNet &from, QNet &to) {
    torch::NoGradGuard no_grad;
    auto source = from->parameters();
    auto parameters = to->parameters();
    for (size_t i = 0; i < parameters.size(); ++i)
      parameters[i].copy_(source[i]);
  }
  void average(double tau) {
    torch::NoGradGuard no_grad;
    auto source = online_->named_parameters();
    for (auto &p : target_->named_parameters())
      p.value().mul_(1 - tau).add_(source[p.key()] * tau);
  }
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), target_->forward(next)); // expected-note {{'target_' is in no optimizer}} [tensor-missing-zero-grad]
    optimizer_.zero_grad();
    loss.backward(); // expected-path {{gradients are added here}}
    optimizer_.step();
    sync(online_, target_);
  }
};

// A loss network: the gradient has to go through it.
class Perceptual {
  QNet generator_, features_;
  torch::optim::Adam optimizer_;

public:
  Perceptual() : optimizer_(generator_->parameters(), 0.1) {}
  void update(Tensor x) {
    auto loss = features_->forward(generator_->forward(x)).sum(); // expected-note {{call 'requires_grad_(false)' on its parameters}} [tensor-missing-zero-grad]
    optimizer_.zero_grad();
    loss.backward(); // expected-path {{gradients are added here}}
    optimizer_.step();
  }
};

//===-- Near misses -------------------------------------------------------===//

class Detached {
  QNet online_, target_;
  torch::optim::Adam optimizer_;

public:
  Detached() : optimizer_(online_->parameters(), 0.1) {}
  void update(Tensor states, Tensor next) {
    auto wanted = target_->forward(next).detach();
    auto loss = torch::mse_loss(online_->forward(states), wanted);
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
  void guarded(Tensor states, Tensor next) {
    Tensor wanted;
    {
      torch::NoGradGuard no_grad;
      wanted = target_->forward(next);
    }
    auto loss = torch::mse_loss(online_->forward(states), wanted);
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

class Frozen {
  QNet online_, frozen_;
  torch::optim::Adam optimizer_;

public:
  Frozen() : optimizer_(online_->parameters(), 0.1) {
    for (auto &p : frozen_->parameters())
      p.set_requires_grad(false);
  }
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), frozen_->forward(next));
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

// Each in an optimizer of its own, or both in one.
class ActorAndCritic {
  QNet actor_, critic_;
  torch::optim::Adam actor_optimizer_, critic_optimizer_;

public:
  ActorAndCritic()
      : actor_optimizer_(actor_->parameters(), 0.1),
        critic_optimizer_(critic_->parameters(), 0.1) {}
  void update(Tensor states) {
    auto loss = critic_->forward(actor_->forward(states)).mean();
    actor_optimizer_.zero_grad();
    critic_optimizer_.zero_grad();
    loss.backward();
    actor_optimizer_.step();
    critic_optimizer_.step();
  }
};

class OneList {
  QNet first_, second_;
  std::unique_ptr<torch::optim::Adam> optimizer_;

public:
  OneList() {
    std::vector<Tensor> all = first_->parameters();
    for (auto &p : second_->parameters())
      all.push_back(p);
    optimizer_ = std::make_unique<torch::optim::Adam>(all, 0.1);
  }
  void update(Tensor x) {
    auto loss = second_->forward(first_->forward(x)).sum();
    optimizer_->zero_grad();
    loss.backward();
    optimizer_->step();
  }
};

class OptimizersInAList {
  QNet first_, second_;
  std::vector<torch::optim::Adam> optimizers_;

public:
  OptimizersInAList() {
    auto parameters = second_->parameters();
    optimizers_.emplace_back(first_->parameters(), 0.1);
    optimizers_.emplace_back(parameters, 0.1);
  }
  void update(Tensor x) {
    auto loss = second_->forward(first_->forward(x)).sum();
    for (auto &optimizer : optimizers_)
      optimizer.zero_grad();
    loss.backward();
    for (auto &optimizer : optimizers_)
      optimizer.step();
  }
};

// Its gradients are reset, read or handed out.
class Reset {
  QNet online_, target_;
  torch::optim::Adam optimizer_;

public:
  Reset() : optimizer_(online_->parameters(), 0.1) {}
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), target_->forward(next));
    optimizer_.zero_grad();
    target_->zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

class ReadGradients {
  QNet online_, target_;
  torch::optim::Adam optimizer_;

public:
  ReadGradients() : optimizer_(online_->parameters(), 0.1) {}
  double norm() {
    double sum = 0;
    for (auto &p : target_->parameters())
      sum += p.grad().norm().item<double>();
    return sum;
  }
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), target_->forward(next));
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

class HandedOut {
  QNet online_, target_;
  torch::optim::Adam optimizer_;

public:
  HandedOut() : optimizer_(online_->parameters(), 0.1) {}
  std::vector<Tensor> parameters() { return target_->parameters(); }
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), target_->forward(next));
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

// Another name of the same network, which an optimizer steps.
class SameNetwork {
  QNet online_, alias_;
  torch::optim::Adam optimizer_;

public:
  SameNetwork() : optimizer_(online_->parameters(), 0.1) { alias_ = online_; }
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), alias_->forward(next));
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

class GivenOne {
  QNet online_, given_;
  torch::optim::Adam optimizer_;

public:
  explicit GivenOne(QNet given) : given_(given), optimizer_(online_->parameters(), 0.1) {}
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), given_->forward(next));
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};

// Part of a module, whose own parameters() has them all.
struct AgentImpl : torch::nn::Module {
  QNet online_{nullptr}, target_{nullptr};
  AgentImpl() {
    online_ = register_module("online", QNet());
    target_ = register_module("target", QNet());
  }
  void update(torch::optim::Optimizer &optimizer, Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), target_->forward(next));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
};

// A method of another file may do anything.
class Elsewhere {
  QNet online_, target_;
  torch::optim::Adam optimizer_;

public:
  Elsewhere();
  void update(Tensor states, Tensor next) {
    auto loss = torch::mse_loss(online_->forward(states), target_->forward(next));
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }
};
