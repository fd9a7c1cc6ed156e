// Validation with grad on, beside a loop that freezes some of the network's parameters
// and not the others: the others still build a graph.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <algorithm>
#include <cstring>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

// The head alone at first, everything later.
struct FineTuning {
  torch::nn::Linear net{8, 8};
  void train() {
    torch::optim::Adam optimizer(net->parameters(), 0.1);
    for (int epoch = 0; epoch < 10; ++epoch) {
      for (auto item : net->named_parameters()) {
        if (epoch >= 2 || std::strstr(item.key().data(), "head"))
          item.value().set_requires_grad(true);
        else
          item.value().set_requires_grad(false);
      }
      for (int i = 0; i < 100; ++i) {
        optimizer.zero_grad();
        net->forward(next_batch()).sum().backward();
        optimizer.step();
      }
      net->eval(); // expected-path {{'eval()' does not turn grad mode off}}
      for (int i = 0; i < 100; ++i)
        consume(net->forward(next_batch()).sum().item<float>()); // expected-warning {{'net'}} [tensor-missing-no-grad]
    }
  }
};

// One layer stays as it was loaded.
struct OneLayerFrozen {
  torch::nn::Linear network{8, 8};
  void train() {
    for (auto &item : network->named_parameters())
      if (item.key().find("features") != std::string::npos)
        item.value().requires_grad_(false);
    torch::optim::SGD optimizer(network->parameters(), 0.1);
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      network->forward(next_batch()).sum().backward();
      optimizer.step();
    }
    network->eval(); // expected-path {{'eval()' does not turn grad mode off}}
    for (int i = 0; i < 100; ++i)
      consume(network->forward(next_batch()).sum().item<float>()); // expected-warning {{'network'}} [tensor-missing-no-grad]
  }
};

//===-- Near misses -------------------------------------------------------===//

// All of them, by name or not.
struct Frozen {
  torch::nn::Linear by_name{8, 8}, where_needed{8, 8}, list{8, 8}, by_value{8, 8};
  torch::nn::Linear algorithm{8, 8};
  Frozen() {
    for (auto item : by_name->named_parameters())
      item.value().set_requires_grad(false);
    for (auto &p : where_needed->parameters())
      if (p.requires_grad())
        p.requires_grad_(false);
    for (auto p : by_value->parameters())
      p.set_requires_grad(false);
    auto all = list->parameters();
    for (auto &p : all)
      p.requires_grad_(false);
    auto each = algorithm->parameters();
    std::for_each(std::begin(each), std::end(each), [](auto &p) { p.requires_grad_(false); });
  }
  void run() {
    for (int i = 0; i < 100; ++i) {
      consume(by_name->forward(next_batch()).sum().item<float>());
      consume(where_needed->forward(next_batch()).sum().item<float>());
      consume(by_value->forward(next_batch()).sum().item<float>());
      consume(list->forward(next_batch()).sum().item<float>());
      consume(algorithm->forward(next_batch()).sum().item<float>());
    }
  }
};

// Which ones the name tells, and no optimizer here steps the rest: nobody knows.
struct Loaded {
  torch::nn::Linear loaded{8, 8};
  Loaded() {
    for (auto &item : loaded->named_parameters())
      if (item.key().find("weight") != std::string::npos)
        item.value().requires_grad_(false);
      else
        item.value().requires_grad_(false);
  }
  void run() {
    for (int i = 0; i < 100; ++i)
      consume(loaded->forward(next_batch()).sum().item<float>());
  }
};

// Validated under a guard.
struct Guarded {
  torch::nn::Linear guarded{8, 8};
  void train() {
    torch::optim::SGD optimizer(guarded->parameters(), 0.1);
    for (auto &item : guarded->named_parameters())
      item.value().set_requires_grad(item.key() == "weight");
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      guarded->forward(next_batch()).sum().backward();
      optimizer.step();
    }
    torch::NoGradGuard no_grad;
    for (int i = 0; i < 100; ++i)
      consume(guarded->forward(next_batch()).sum().item<float>());
  }
};

// An algorithm that only looks at them freezes nothing.
struct Counted {
  torch::nn::Linear counted{8, 8};
  Counted() {
    auto each = counted->parameters();
    std::for_each(std::begin(each), std::end(each), [](auto &p) { consume(p.numel()); });
  }
  void run() {
    for (int i = 0; i < 100; ++i)
      consume(counted->forward(next_batch()).sum().item<float>()); // expected-warning {{'counted'}} [tensor-missing-no-grad]
  }
};

int main() {
  Counted().run();
  FineTuning().train();
  OneLayerFrozen().train();
  Frozen().run();
  Loaded().run();
  Guarded().train();
}
