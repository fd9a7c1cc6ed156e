// A sum that takes each step's graph with it (rows 5, 6 and 9), and the ways to sum
// that do not.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using torch::Tensor;
using Batches = std::vector<std::pair<Tensor, Tensor>>;

// Row 5: validation, no backward(): the sum holds every activation of every batch.
float validate(torch::nn::Linear net, const Batches &batches) {
  auto total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (const auto &[x, y] : batches) {
    auto loss = torch::mse_loss(net->forward(x), y); // expected-path {{the graph starts here}}
    total = total + loss; // expected-warning {{total}} [tensor-retained-activation]
  }
  return total.item<float>() / batches.size();
}

float validate_in_place(torch::nn::Linear net, const Batches &batches) {
  net->eval(); // no guard: eval() does not switch gradients off
  Tensor total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (const auto &[x, y] : batches)
    total += torch::mse_loss(net->forward(x), y); // expected-warning {{total}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return total.item<float>();
}

// Row 6: after backward() the activations are gone and only nodes stay.
void train(torch::nn::Linear net, torch::optim::Optimizer &optimizer, const Batches &batches) {
  Tensor running = torch::zeros({1}); // expected-path {{'running' is declared here and outlives the step}}
  for (const auto &[x, y] : batches) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(net->forward(x), y); // expected-path {{the graph starts here}}
    loss.backward();
    optimizer.step();
    running += loss; // expected-note {{running}} [tensor-retained-activation]
  }
}

//===-- Near misses -------------------------------------------------------===//

float validate_items(torch::nn::Linear net, const Batches &batches) {
  float total = 0;
  for (const auto &[x, y] : batches)
    total += torch::mse_loss(net->forward(x), y).item<float>();
  return total;
}

float validate_detached(torch::nn::Linear net, const Batches &batches) {
  auto total = torch::zeros({1});
  for (const auto &[x, y] : batches)
    total = total + torch::mse_loss(net->forward(x), y).detach();
  return total.item<float>();
}

float validate_under_guard(torch::nn::Linear net, const Batches &batches) {
  torch::NoGradGuard no_grad;
  auto total = torch::zeros({1});
  for (const auto &[x, y] : batches)
    total = total + torch::mse_loss(net->forward(x), y);
  return total.item<float>();
}

// What is counted has no gradient: comparisons and argmax end the graph.
float accuracy(torch::nn::Linear net, const Batches &batches) {
  auto correct = torch::zeros({1}, torch::kLong);
  for (const auto &[x, y] : batches)
    correct += net->forward(x).argmax(1).eq(y).sum();
  return correct.item<float>();
}

// A sum of losses that is backward-ed as one: the graph is wanted, and ends with it.
void sum_then_backward(torch::nn::Linear net, torch::optim::Optimizer &optimizer,
                       const Batches &batches) {
  optimizer.zero_grad();
  Tensor total = torch::zeros({1});
  for (const auto &[x, y] : batches)
    total = total + torch::mse_loss(net->forward(x), y);
  total.backward();
  optimizer.step();
}

// Starts anew in every step.
void several_losses(torch::nn::Linear net, torch::optim::Optimizer &optimizer,
                    const Batches &batches) {
  for (const auto &[x, y] : batches) {
    Tensor total = torch::zeros({1});
    total = total + torch::mse_loss(net->forward(x), y);
    total = total + net->weight.pow(2).sum();
    optimizer.zero_grad();
    total.backward();
    optimizer.step();
  }
}

//===-- Rows 7, 9 and 17 -----------------------------------------------------===//

Tensor another_batch();

// The graph that was kept on purpose stays with the loss.
void retained_graph(torch::nn::Linear net) {
  std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(another_batch()).sum(); // expected-path {{the graph starts here}}
    loss.backward({}, /*retain_graph=*/true);
    losses.push_back(loss); // expected-warning {{every activation of the step stays alive}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}

void running_maximum(torch::nn::Linear net) {
  Tensor peak = torch::zeros({1}); // expected-path {{'peak' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    peak = torch::max(peak, net->forward(another_batch()).max()); // expected-warning {{peak}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

void running_mean_of_a_parameter(torch::nn::Linear net) {
  auto parameter = net->parameters()[0];
  auto mean = parameter.clone().detach(); // expected-path {{'mean' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    mean = 0.9 * mean + 0.1 * parameter; // expected-note {{mean}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

// Retained, and dropped with the loss.
void retained_graph_of_a_step(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(another_batch()).sum();
    loss.backward({}, /*retain_graph=*/true);
    loss.backward();
  }
}

//===-- Sums that stand in something ----------------------------------------===//

static Tensor loss_of(torch::nn::Linear net) { return net->forward(another_batch()).sum(); } // expected-path {{the graph starts here}}

void in_an_optional(torch::nn::Linear net) {
  std::optional<Tensor> mean; // expected-path {{'mean' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto loss = loss_of(net);
    if (!mean)
      mean = loss;
    else
      mean = 0.9 * *mean + 0.1 * loss; // expected-warning {{mean}} [tensor-retained-activation]
  }
}

void in_an_optional_without_graphs(torch::nn::Linear net) {
  std::optional<Tensor> mean;
  for (int i = 0; i < 100; ++i) {
    auto loss = loss_of(net).detach();
    mean = mean ? 0.9 * mean.value() + 0.1 * loss : loss;
  }
}

// What an optional is given takes the place of what it had: the newest loss alone stays.
void the_last_in_an_optional(torch::nn::Linear net) {
  std::optional<Tensor> last;
  for (int i = 0; i < 100; ++i)
    last.emplace(loss_of(net));
}

void behind_a_pointer(torch::nn::Linear net) {
  auto total = std::make_unique<Tensor>(torch::zeros({1})); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    *total = *total + loss_of(net); // expected-warning {{total}} [tensor-retained-activation]
}

void behind_a_pointer_that_is_reset(torch::nn::Linear net) {
  auto total = std::make_unique<Tensor>(torch::zeros({1}));
  for (int i = 0; i < 100; ++i) {
    *total = *total + loss_of(net);
    *total = torch::zeros({1});
  }
}

void beside_a_count(torch::nn::Linear net) {
  std::pair<Tensor, int> total{torch::zeros({1}), 0}; // expected-path {{'total' is declared here and outlives the step}}
  std::tuple<int, Tensor> other(0, torch::zeros({1}));
  for (int i = 0; i < 100; ++i) {
    total.first = total.first + loss_of(net); // expected-warning {{total}} [tensor-retained-activation]
    std::get<1>(other) = std::get<1>(other) + loss_of(net).detach();
    ++total.second;
  }
}

void by_name(torch::nn::Linear net) {
  std::map<std::string, Tensor> metrics; // expected-path {{'metrics' is declared here and outlives the step}}
  metrics["loss"] = torch::zeros({1});
  metrics["norm"] = torch::zeros({1});
  for (int i = 0; i < 100; ++i) {
    auto loss = loss_of(net);
    metrics["loss"] = metrics["loss"] + loss; // expected-warning {{metrics}} [tensor-retained-activation]
    metrics["norm"] = metrics["norm"] + loss.detach();
  }
}

// Each name has the loss of the round alone; they are added up under another one.
void by_name_of_one_round(torch::nn::Linear net) {
  std::map<std::string, Tensor> losses;
  for (int i = 0; i < 100; ++i) {
    losses["first"] = loss_of(net);
    losses["second"] = loss_of(net);
    losses["total"] = losses.at("first") + losses.at("second");
    losses["total"].backward();
  }
}

struct Totals {
  Tensor loss, norm; // expected-path {{'loss' is declared here and outlives the step}}
};

void in_a_record(torch::nn::Linear net) {
  Totals totals{torch::zeros({1}), torch::zeros({1})};
  for (int i = 0; i < 100; ++i) {
    auto loss = loss_of(net);
    totals.loss = totals.loss + loss; // expected-warning {{loss}} [tensor-retained-activation]
    totals.norm = totals.norm + loss.detach();
  }
}

// A method may read each of the fields.
struct Sum {
  Tensor loss;
  int steps = 0;
  Tensor mean() const { return loss / steps; }
};

void in_a_record_that_is_run(torch::nn::Linear net) {
  for (int epoch = 0; epoch < 10; ++epoch) {
    Sum sum{torch::zeros({1}), 8};
    for (int i = 0; i < 8; ++i)
      sum.loss = sum.loss + loss_of(net);
    sum.mean().backward();
  }
}
