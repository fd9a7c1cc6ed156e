// Lists of what a network has computed, which grow: an index is searched as a whole, a cache is
// asked for one entry.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <string>
#include <torch/torch.h>
#include <utility>
#include <vector>

class Index {
public:
  void add(const std::string &name, const torch::Tensor &x) {
    torch::NoGradGuard no_grad;
    rows.emplace_back(name, encoder->forward(x).clone()); // expected-note {{'rows' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  torch::Tensor scores(const torch::Tensor &query) const {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> all;
    for (const auto &row : rows)
      all.push_back(row.second);
    return torch::mv(torch::stack(all), query);
  }

private:
  torch::nn::Linear encoder{torch::nn::Linear(64, 64)};
  std::vector<std::pair<std::string, torch::Tensor>> rows; // expected-path {{'rows' is declared here and outlives the step}}
};

class Log {
public:
  void add(const std::string &name, const torch::Tensor &x) {
    torch::NoGradGuard no_grad;
    rows.emplace_back(name, encoder->forward(x).clone()); // expected-warning {{'rows' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }
  torch::Tensor last() const { return rows.back().second; }

private:
  torch::nn::Linear encoder{torch::nn::Linear(64, 64)};
  std::vector<std::pair<std::string, torch::Tensor>> rows; // expected-path {{'rows' is declared here and outlives the step}}
};

int main() {
  Index index;
  Log log;
  for (int i = 0; i < 60; ++i) {
    index.add(std::to_string(i), torch::randn({8, 64}));
    log.add(std::to_string(i), torch::randn({8, 64}));
  }
  index.scores(torch::randn({64}));
  log.last();
}
