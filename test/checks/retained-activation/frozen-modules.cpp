// What a frozen module computes has a graph only where its input has one.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <vector>

using torch::Tensor;

Tensor next_batch();

struct Contrast {
  torch::nn::Linear query{8, 4}, key{8, 4};
  Tensor queue, answers; // expected-path {{'answers' is declared here and outlives the step}}
  Contrast() {
    for (auto &p : key->parameters())
      p.set_requires_grad(false);
    queue = torch::randn({64, 4});
    answers = torch::randn({64, 4});
  }
  Tensor loss(Tensor x) {
    auto q = query->forward(x); // expected-path {{the graph starts here}}
    auto k = key->forward(x);
    auto logits = q.matmul(queue.t()) + (q * k).sum(1, true);
    queue = torch::cat({k, queue.slice(0, 0, 32)});
    answers = torch::cat({q, answers.slice(0, 0, 32)}); // expected-warning {{'answers' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation]
    return logits.mean();
  }
};

void train() {
  Contrast contrast;
  torch::optim::SGD optimizer(contrast.query->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    contrast.loss(next_batch()).backward();
    optimizer.step();
  }
}

//===-- Near misses: not frozen after all ------------------------------------===//

struct Thawed {
  torch::nn::Linear net{8, 4};
  Tensor window = torch::randn({64, 4}); // expected-path {{'window' is declared here and outlives the step}}
  Thawed() {
    for (auto &p : net->parameters())
      p.set_requires_grad(false);
  }
  void add(Tensor x) {
    auto y = net->forward(x); // expected-path {{the graph starts here}}
    window = torch::cat({y, window.slice(0, 0, 32)}); // expected-warning {{'window' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation]
  }
};

void fine_tune(Thawed &thawed) {
  torch::optim::SGD optimizer(thawed.net->parameters(), 0.1); // its parameters are trained later
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    thawed.add(next_batch());
    optimizer.step();
  }
}

struct Behind {
  torch::nn::Linear first{8, 8}, frozen{8, 4};
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  Behind() {
    for (auto &p : frozen->parameters())
      p.set_requires_grad(false);
  }
  void add(Tensor x) {
    auto y = frozen->forward(first->forward(x)); // expected-path {{the graph starts here}}
    kept.push_back(y); // expected-warning {{what is added to 'kept' (a member) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
};

void collect(Behind &behind) {
  for (int i = 0; i < 100; ++i)
    behind.add(next_batch());
}
