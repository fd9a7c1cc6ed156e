// A std::variant holds one value, of whatever type: in a list it keeps what a tensor in it keeps.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <string>
#include <torch/torch.h>
#include <variant>
#include <vector>

using torch::Tensor;

Tensor next_batch();
void show(size_t size);

using Entry = std::variant<double, std::string, Tensor>;

class Journal {
public:
  void add(Entry entry) { entries.push_back(std::move(entry)); } // expected-warning {{'entries' (a member) still carries its graph}} [tensor-retained-activation]
  size_t size() const { return entries.size(); }

private:
  std::vector<Entry> entries; // expected-path {{'entries' is declared here and outlives the step}}
};

void of_losses(torch::nn::Linear net) {
  Journal journal;
  for (int i = 0; i < 100; ++i)
    journal.add(net->forward(next_batch()).sum()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
  show(journal.size());
}

struct Last {
  Entry best = 0.0;
};

void of_itself(torch::nn::Linear net) {
  std::variant<double, Tensor> total = torch::zeros({1}); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    total = std::get<Tensor>(total) + net->forward(next_batch()).sum(); // expected-warning {{'total' (declared outside the loop) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  show(std::get<Tensor>(total).numel());
}

//===-- Near misses -------------------------------------------------------===//

// What is added is a number.
class Scores {
public:
  void add(Entry entry) { entries.push_back(std::move(entry)); }
  size_t size() const { return entries.size(); }

private:
  std::vector<Entry> entries;
};

void of_numbers(torch::nn::Linear net) {
  Scores scores;
  torch::NoGradGuard guard;
  for (int i = 0; i < 100; ++i)
    scores.add(net->forward(next_batch()).sum().item<double>());
  show(scores.size());
}

// The next value takes the place of the last one.
void replaced(torch::nn::Linear net) {
  Last last;
  Entry other;
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(next_batch()).sum();
    loss.backward();
    last.best = loss;
    other.emplace<Tensor>(loss);
  }
  show(last.best.index() + other.index());
}

// What visits the values may run their graphs.
void visited(torch::nn::Linear net) {
  std::vector<Entry> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(net->forward(next_batch()).sum());
  for (auto &each : all)
    std::visit(
        [](auto &value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Tensor>)
            value.backward();
        },
        each);
}

void asked(torch::nn::Linear net) {
  std::vector<Entry> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(net->forward(next_batch()).sum());
  for (auto &each : all)
    if (auto *loss = std::get_if<Tensor>(&each))
      loss->backward();
}
