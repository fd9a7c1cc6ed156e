// What is kept is read, and not so that a backward pass could come to it.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <deque>
#include <utility>
#include <vector>

using torch::Tensor;

class Bank {
public:
  void push(Tensor keys) {
    if (items_.size() == 24)
      items_.pop_front();
    items_.push_back(std::move(keys));
  }
  bool empty() const { return items_.empty(); }
  Tensor negatives() const {
    torch::NoGradGuard no_grad;
    return torch::cat(std::vector<Tensor>(items_.begin(), items_.end()));
  }

private:
  std::deque<Tensor> items_;
};

void contrast(torch::nn::Linear query, torch::nn::Linear momentum) {
  torch::optim::SGD optimizer(query->parameters(), 0.1);
  Bank bank;
  for (int i = 0; i < 1000; ++i) {
    auto x = torch::rand({4, 8});
    auto q = query->forward(x);
    auto k = momentum->forward(x); // expected-note {{what 'momentum' computes here is never differentiated, yet grad mode is on}} [tensor-missing-no-grad]
    auto loss = (q * k.detach()).sum();
    if (!bank.empty())
      loss = loss + q.matmul(bank.negatives().t()).sum();
    bank.push(k);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

//===-- Near misses -----------------------------------------------------------------===//

// With grad: a backward pass comes to the keys.
class Differentiated {
public:
  void push(Tensor keys) {
    if (items_.size() == 24)
      items_.pop_front();
    items_.push_back(std::move(keys));
  }
  bool empty() const { return items_.empty(); }
  Tensor negatives() const {
    return torch::cat(std::vector<Tensor>(items_.begin(), items_.end()));
  }

private:
  std::deque<Tensor> items_;
};

void learn_both(torch::nn::Linear query, torch::nn::Linear other) {
  torch::optim::SGD optimizer(query->parameters(), 0.1), second(other->parameters(), 0.1);
  Differentiated bank;
  for (int i = 0; i < 1000; ++i) {
    auto x = torch::rand({4, 8});
    auto q = query->forward(x);
    bank.push(other->forward(x));
    auto loss = q.matmul(bank.negatives().t()).sum();
    optimizer.zero_grad();
    second.zero_grad();
    loss.backward({}, /*retain_graph=*/true);
    optimizer.step();
    second.step();
  }
}
