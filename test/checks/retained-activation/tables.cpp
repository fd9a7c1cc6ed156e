// Tables of what a model has computed, by keys of which nobody knows how many there are.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <string>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

class Answered {
public:
  Tensor of(const std::string &text, Tensor x) {
    torch::NoGradGuard guard;
    auto known = table_.find(text);
    if (known != table_.end())
      return known->second;
    auto answer = encoder_(x);
    table_.emplace(text, answer); // expected-note {{'table_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
    return answer;
  }

private:
  torch::nn::Linear encoder_{4, 4};
  std::map<std::string, Tensor> table_; // expected-path {{'table_' is declared here and outlives the step}}
};

// A list of them gets one more in any case.
class Listed {
public:
  Tensor of(Tensor x) {
    torch::NoGradGuard guard;
    auto answer = encoder_(x);
    list_.push_back(answer); // expected-warning {{'list_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
    return answer;
  }
  Tensor last() const { return list_.back(); }

private:
  torch::nn::Linear encoder_{4, 4};
  std::vector<Tensor> list_; // expected-path {{'list_' is declared here and outlives the step}}
};

// Of a table that nothing reads any key is one too many.
class OnlyFilled {
public:
  Tensor of(const std::string &text, Tensor x) {
    torch::NoGradGuard guard;
    auto answer = encoder_(x);
    table_.emplace(text, answer); // expected-warning {{'table_' (a member) grows with every step and nothing ever reads or empties it}} [tensor-retained-activation]
    return answer;
  }

private:
  torch::nn::Linear encoder_{4, 4};
  std::map<std::string, Tensor> table_; // expected-path {{'table_' is declared here and outlives the step}}
};

int main() {
  Answered answered;
  Listed listed;
  OnlyFilled filled;
  for (int i = 0; i < 1000; ++i) {
    answered.of(std::to_string(i % 10), torch::ones({1, 4}));
    listed.of(torch::ones({1, 4}));
    filled.of(std::to_string(i), torch::ones({1, 4}));
  }
  return listed.last().dim();
}
