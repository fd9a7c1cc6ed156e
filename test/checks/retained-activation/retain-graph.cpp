// All backward passes of this file keep what they ran: members that are computed from themselves
// reach them again in the next step, with all that was before.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

class Queue {
public:
  Tensor logits(torch::nn::Linear net, Tensor q, Tensor k) {
    auto out = net(q).mm(queue_.t());
    queue_ = torch::cat({net(k), queue_.slice(0, 0, 4064)}); // expected-warning {{'queue_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
    return out;
  }

private:
  Tensor queue_ = torch::randn({4096, 64}); // expected-path {{'queue_' is declared here and outlives the step}}
};

class DetachedQueue {
public:
  Tensor logits(torch::nn::Linear net, Tensor q, Tensor k) {
    auto out = net(q).mm(queue_.t());
    queue_ = torch::cat({net(k).detach(), queue_.slice(0, 0, 4064)});
    return out;
  }

private:
  Tensor queue_ = torch::randn({4096, 64});
};

class Chunked {
public:
  Tensor step(torch::nn::GRUCell cell, Tensor x) {
    if (++count_ % 32 == 0)
      h_ = h_.detach();
    h_ = cell(x, h_);
    return h_;
  }

private:
  int count_ = 0;
  Tensor h_ = torch::zeros({1, 64});
};

int main() {
  torch::nn::Linear net(64, 64);
  torch::nn::GRUCell cell(64, 64);
  torch::optim::SGD opt(net->parameters(), 0.1), other(cell->parameters(), 0.1);
  Queue queue;
  DetachedQueue detached;
  Chunked chunked;
  for (int i = 0; i < 100; ++i) {
    auto q = torch::randn({32, 64}), k = torch::randn({32, 64});
    opt.zero_grad();
    other.zero_grad();
    auto loss = queue.logits(net, q, k).sum() + detached.logits(net, q, k).sum();
    loss.backward({}, /*retain_graph=*/true);
    chunked.step(cell, torch::randn({1, 64})).sum().backward({}, true);
    opt.step();
    other.step();
  }
}
