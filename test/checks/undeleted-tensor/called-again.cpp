// Objects that a method makes with `new` for a member, and that a second call for the same object
// loses.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

class Agent {
public:
  ~Agent() { delete optimizer; }
  void begin(torch::nn::Linear net) {
    optimizer = new torch::optim::Adam(net->parameters(), 1e-3); // expected-path {{it is allocated here}}
  }
  void begin_anew(torch::nn::Linear net) {
    delete optimizer;
    optimizer = new torch::optim::Adam(net->parameters(), 1e-3);
  }
  void begin_once(torch::nn::Linear net) {
    if (!optimizer)
      optimizer = new torch::optim::Adam(net->parameters(), 1e-3);
  }
  void step(Tensor loss) {
    optimizer->zero_grad();
    loss.backward();
    optimizer->step();
  }

private:
  torch::optim::Adam *optimizer = nullptr;
};

void in_each_round(Tensor x) {
  Agent agent;
  for (int i = 0; i < 100; ++i) {
    torch::nn::Linear net(64, 64);
    agent.begin(net); // expected-warning {{that 'agent.optimizer' points to is overwritten before it is deleted}} [tensor-undeleted-tensor]
    agent.step(net->forward(x).sum());
  }
}

// Near misses: another object in each round, deleted before, or made once.

void another_object(Tensor x) {
  for (int i = 0; i < 100; ++i) {
    Agent agent;
    torch::nn::Linear net(64, 64);
    agent.begin(net);
    agent.step(net->forward(x).sum());
  }
}

void deleted_before(Tensor x) {
  Agent agent;
  for (int i = 0; i < 100; ++i) {
    torch::nn::Linear net(64, 64);
    agent.begin_anew(net);
    agent.step(net->forward(x).sum());
  }
}

void made_once(Tensor x) {
  Agent agent;
  torch::nn::Linear net(64, 64);
  for (int i = 0; i < 100; ++i) {
    agent.begin_once(net);
    agent.step(net->forward(x).sum());
  }
}
