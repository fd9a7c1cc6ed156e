// Optimizers in a container: where it owns them they have no other name, where it holds pointers
// they are reset by another one.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

Tensor next_batch();

void owned(torch::nn::Linear first, torch::nn::Linear second) {
  std::vector<std::unique_ptr<torch::optim::SGD>> all;
  all.push_back(std::make_unique<torch::optim::SGD>(first->parameters(), 0.1));
  torch::optim::SGD other(second->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    other.zero_grad();
    second(first(next_batch())).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    for (auto &each : all)
      each->step(); // expected-warning {{'all' steps in every round of this loop}} [tensor-missing-zero-grad]
    other.step();
  }
}

void pointers_without_a_reset(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::map<std::string, torch::optim::SGD *> named{{"net", &optimizer}};
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    net(next_batch()).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    named["net"]->step(); // expected-warning {{'named' steps in every round of this loop}} [tensor-missing-zero-grad]
  }
}

//===-- Near misses -------------------------------------------------------===//

void reset_by_its_own_name(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::map<std::string, torch::optim::SGD *> named{{"net", &optimizer}};
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    net(next_batch()).sum().backward();
    named["net"]->step();
  }
}

void reset_by_an_algorithm(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::vector<torch::optim::SGD *> all{&optimizer};
  for (int i = 0; i < 100; ++i) {
    std::for_each(all.begin(), all.end(), [](auto *each) { each->zero_grad(); });
    net(next_batch()).sum().backward();
    optimizer.step();
  }
}

void read_by_an_algorithm(torch::nn::Linear net, int &steps) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::vector<torch::optim::SGD *> all{&optimizer};
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    std::for_each(all.begin(), all.end(), [&](auto *each) { steps += each != nullptr; });
    net(next_batch()).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer.step(); // expected-warning {{'optimizer' steps in every round of this loop}} [tensor-missing-zero-grad]
  }
}

void reset_in_the_list(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::vector<torch::optim::SGD *> all{&optimizer};
  for (int i = 0; i < 100; ++i) {
    for (auto *each : all)
      each->zero_grad();
    net(next_batch()).sum().backward();
    optimizer.step();
  }
}
