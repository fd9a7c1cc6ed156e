// A function that returns several tensors, some with their graph and some without.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

struct Metrics {
  Tensor loss;
  Tensor scores;
};

static Metrics with_graph(torch::nn::Linear net) {
  auto scores = net->forward(next_batch()); // expected-path {{the graph starts here}}
  return {scores.sum(), scores};
}

static void keeps_graphs(torch::nn::Linear net) {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto metrics = with_graph(net);
    all.push_back(metrics.scores); // expected-warning {{what is added to 'all'}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}

//===-- Near misses -------------------------------------------------------===//

static Metrics detached(torch::nn::Linear net) {
  auto scores = net->forward(next_batch());
  return {scores.sum(), scores.detach()};
}

static void keeps_numbers(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::vector<Tensor> all;
  auto buffer = torch::zeros({100, 64});
  for (int i = 0; i < 100; ++i) {
    auto metrics = detached(net);
    optimizer.zero_grad();
    metrics.loss.backward();
    optimizer.step();
    all.push_back(metrics.scores);
    buffer[i] = metrics.scores;
  }
}

static Metrics of_scores(const Tensor &scores) { return {scores.sum(), scores.detach()}; }

static void keeps_numbers_of_an_argument(torch::nn::Linear net) {
  std::vector<Tensor> all;
  for (int i = 0; i < 100; ++i) {
    auto metrics = of_scores(net->forward(next_batch()));
    metrics.loss.backward();
    all.push_back(metrics.scores);
  }
}

static std::tuple<Tensor, Tensor> detached_tuple(torch::nn::Linear net) {
  auto scores = net->forward(next_batch());
  return {scores.sum(), scores.detach()};
}

static void keeps_an_element(torch::nn::Linear net) {
  std::vector<Tensor> all;
  for (int i = 0; i < 100; ++i) {
    auto [loss, scores] = detached_tuple(net);
    loss.backward();
    all.push_back(scores);
  }
}

int main() {
  torch::nn::Linear net(64, 64);
  keeps_graphs(net);
  keeps_numbers(net);
  keeps_numbers_of_an_argument(net);
  keeps_an_element(net);
}
