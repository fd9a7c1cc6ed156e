// What is returned may be run backward by the caller, but not across the steps of an optimizer.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

struct Report {
  torch::Tensor kl = torch::zeros({}); // expected-path {{'kl' is declared here and outlives the step}}
  int updates = 0;
};

struct Terms {
  torch::Tensor policy, kl;
};

Terms evaluate(torch::nn::Linear net, torch::Tensor x) {
  Terms t;
  auto y = net(x); // expected-path {{the graph starts here}}
  t.policy = y.mean();
  t.kl = (y * y).mean();
  return t;
}

Report member(torch::nn::Linear net, torch::optim::SGD &opt, torch::Tensor x) {
  Report report;
  for (int i = 0; i < 100; ++i) {
    auto terms = evaluate(net, x);
    opt.zero_grad();
    terms.policy.backward();
    opt.step();
    report.kl += terms.kl; // expected-warning {{is written in place with a tensor that carries its graph}} [tensor-retained-activation]
  }
  return report;
}

Report member_of_values(torch::nn::Linear net, torch::optim::SGD &opt, torch::Tensor x) {
  Report report;
  for (int i = 0; i < 100; ++i) {
    auto terms = evaluate(net, x);
    opt.zero_grad();
    terms.policy.backward();
    opt.step();
    report.kl += terms.kl.detach();
  }
  return report;
}

torch::Tensor sum(torch::nn::Linear net, torch::optim::SGD &opt, torch::Tensor x) {
  torch::Tensor total = torch::zeros({}); // expected-path {{is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    auto loss = net(x).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    total = total + net(x).mean(); // expected-warning {{is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  return total;
}

std::vector<torch::Tensor> all(torch::nn::Linear net, torch::optim::SGD &opt, torch::Tensor x) {
  std::vector<torch::Tensor> outputs; // expected-path {{is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    auto loss = net(x).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    outputs.push_back(net(x)); // expected-warning {{still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  return outputs;
}

// The caller runs it backward: the optimizer is of the round, or steps behind all rounds.
torch::Tensor tasks(torch::Tensor x) {
  torch::Tensor total = torch::zeros({});
  for (int i = 0; i < 10; ++i) {
    torch::nn::Linear copy(4, 4);
    torch::optim::SGD inner(copy->parameters(), 0.1);
    auto loss = copy(x).mean();
    loss.backward();
    inner.step();
    total += copy(x).mean();
  }
  return total;
}

torch::Tensor losses(torch::nn::Linear net, torch::Tensor x) {
  torch::Tensor total = torch::zeros({});
  for (int i = 0; i < 10; ++i)
    total += net(x).mean();
  return total;
}

//===-- Members of what is returned in braces -------------------------------------===//

struct Update {
  torch::Tensor weights;
  torch::Tensor loss;
  int samples = 0;
};

Update fit(torch::nn::Linear net, torch::Tensor x) {
  auto loss = net(x).mean(); // expected-path {{the graph starts here}}
  return {net->weight.detach().clone(), loss, 4};
}

void weights_only(torch::nn::Linear net, torch::Tensor x) {
  torch::Tensor sum = torch::zeros({4, 4});
  for (int i = 0; i < 10; ++i) {
    auto [weights, loss, samples] = fit(net, x);
    sum.add_(weights);
  }
}

void losses_too(torch::nn::Linear net, torch::Tensor x) {
  torch::Tensor sum = torch::zeros({}); // expected-path {{is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i) {
    auto [weights, loss, samples] = fit(net, x);
    sum.add_(loss); // expected-warning {{is written in place with a tensor that carries its graph}} [tensor-retained-activation]
  }
}
