// A method that runs backward and steps, and whose callers are not in view. No member
// function of these classes resets gradients.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

class Trainer {
public:
  void step(Tensor x, Tensor y) {
    auto loss = torch::mse_loss(net_->forward(x), y);
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer_.step(); // expected-note {{'optimizer_' steps in every call of this method, but nothing in its class resets its gradients}} [tensor-missing-zero-grad]
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

class Agent {
public:
  Agent() : actor_(8, 2), optimizer_(actor_->parameters(), 1e-3) {}

  // Through a method of its own: the step is the same.
  void observe(Tensor state, bool done) {
    if (done)
      learn(state);
  }

private:
  void learn(Tensor state) {
    auto loss = actor_->forward(state).mean();
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    torch::nn::utils::clip_grad_norm_(actor_->parameters(), 0.5);
    optimizer_.step(); // expected-note {{'optimizer_' steps in every call}} [tensor-missing-zero-grad]
  }

  torch::nn::Linear actor_;
  torch::optim::Adam optimizer_;
};

class WithPointer {
public:
  void prepare() {
    net_ = torch::nn::Linear(4, 4);
    optimizer_ = std::make_unique<torch::optim::Adam>(net_->parameters(), 1e-3);
  }
  void step(Tensor x) {
    net_->forward(x).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer_->step(); // expected-note {{'optimizer_' steps in every call}} [tensor-missing-zero-grad]
  }

private:
  torch::nn::Linear net_{nullptr};
  std::unique_ptr<torch::optim::Adam> optimizer_;
};

//===-- Near misses ---------------------------------------------------------===//

// The caller has the network too: it may reset what it gave.
class OfTheCaller {
public:
  explicit OfTheCaller(torch::nn::Linear net) : net_(net), optimizer_(net_->parameters(), 0.1) {}
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_;
  torch::optim::SGD optimizer_;
};

// Or it can get at it.
class Open {
public:
  torch::nn::Linear &net() { return net_; }
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

// Its own zero_grad() is everybody's.
struct OwnModuleImpl : torch::nn::Module {
  void step(Tensor x) {
    fc->forward(x).sum().backward();
    optimizer.step();
  }
  torch::nn::Linear fc{register_module("fc", torch::nn::Linear(4, 4))};
  torch::optim::SGD optimizer{parameters(), 0.1};
};

void between_steps(torch::optim::Optimizer &optimizer);

class HandedToOthers {
public:
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
    between_steps(optimizer_);
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

// A method that is in another file may reset.
class InTwoFiles {
public:
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
  }
  void clear();

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

// An optimizer and a network for each call.
class Fresh {
public:
  void fit(Tensor x) {
    net_ = torch::nn::Linear(4, 4);
    optimizer_ = std::make_unique<torch::optim::SGD>(net_->parameters(), 0.1);
    net_->forward(x).sum().backward();
    optimizer_->step();
  }

private:
  torch::nn::Linear net_{nullptr};
  std::unique_ptr<torch::optim::SGD> optimizer_;
};

// Gradients from somewhere else: nothing is differentiated here.
class StepsOnly {
public:
  void step() { optimizer_.step(); }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

// Its one caller is in view, and calls it once.
class Once {
public:
  void step(Tensor x) {
    net_->forward(x).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_{4, 4};
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
};

int main() { Once().step(torch::ones({4, 4})); }
