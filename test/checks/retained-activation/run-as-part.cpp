// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// What is kept was run backward as a part of something else: its activations are gone. Terms of a
// loss then cost nodes only; an output is kept itself.
#include <torch/torch.h>
#include <vector>
using torch::Tensor;

//===-- Each step runs the sum of the terms ---------------------------------------===//

class Trainer {
public:
  void step(Tensor x, Tensor y) {
    auto hidden = body_->forward(x);
    auto out = head_->forward(hidden); // expected-path {{the graph starts here}}
    auto reconstruction = torch::mse_loss(out, y);
    auto penalty = hidden.pow(2).mean();
    outputs_.push_back(out); // expected-warning {{what is added to 'outputs_' (a member) still carries its graph; the autograd nodes of the step stay alive with it: at least 40 * x.numel() / 100 bytes per step}} [tensor-retained-activation] expected-fix {{.detach()}}
    auto loss = reconstruction + penalty;
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
    terms_.push_back(reconstruction); // expected-note {{what is added to 'terms_' (a member) still carries its graph; the autograd nodes of the step stay alive with it}} [tensor-retained-activation] expected-fix {{.detach()}}
    auto other = head_->forward(torch::relu(hidden.detach())); // expected-path {{the graph starts here}}
    others_.push_back(other); // expected-warning {{what is added to 'others_' (a member) still carries its graph; every activation of the step stays alive with it}} [tensor-retained-activation] expected-fix {{.detach()}}
  }

private:
  torch::nn::Linear body_{100, 1000}, head_{1000, 10};
  torch::optim::SGD optimizer_{body_->parameters(), 0.1};
  std::vector<Tensor> outputs_; // expected-path {{'outputs_' is declared here and outlives the step}}
  std::vector<Tensor> terms_;   // expected-path {{'terms_' is declared here and outlives the step}}
  std::vector<Tensor> others_;  // expected-path {{'others_' is declared here and outlives the step}}
};

void train(Trainer &trainer) {
  for (int i = 0; i < 100; ++i)
    trainer.step(torch::randn({64, 100}), torch::randn({64, 10}));
}

//===-- Some steps run it, or keep the graph --------------------------------------===//

class Evaluator {
public:
  void step(Tensor x, Tensor y, bool train) {
    auto out = net_->forward(x); // expected-path {{the graph starts here}}
    auto loss = torch::mse_loss(out, y);
    if (train)
      loss.backward();
    kept_.push_back(out); // expected-warning {{what is added to 'kept_' (a member) still carries its graph; every activation of the step stays alive with it}} [tensor-retained-activation] expected-fix {{.detach()}}
  }

  void twice(Tensor x, Tensor y) {
    auto out = net_->forward(x); // expected-path {{the graph starts here}}
    auto loss = torch::mse_loss(out, y);
    loss.backward({}, /*retain_graph=*/true);
    retained_.push_back(out); // expected-warning {{what is added to 'retained_' (a member) still carries its graph; every activation of the step stays alive with it}} [tensor-retained-activation] expected-fix {{.detach()}}
  }

private:
  torch::nn::Linear net_{100, 10};
  std::vector<Tensor> kept_;     // expected-path {{'kept_' is declared here and outlives the step}}
  std::vector<Tensor> retained_; // expected-path {{'retained_' is declared here and outlives the step}}
};

void evaluate(Evaluator &evaluator) {
  for (int i = 0; i < 100; ++i) {
    evaluator.step(torch::randn({64, 100}), torch::randn({64, 10}), i % 10 == 0);
    evaluator.twice(torch::randn({64, 100}), torch::randn({64, 10}));
  }
}
