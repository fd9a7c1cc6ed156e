// Under a remainder there are only so many elements, and each is replaced.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <torch/torch.h>
#include <unordered_map>

class Masks {
public:
  explicit Masks(int64_t window) : window(window) {}
  const torch::Tensor &at(int64_t position) {
    const int64_t key = position % window;
    auto hit = table.find(key);
    if (hit != table.end())
      return hit->second;
    return table.emplace(key, torch::zeros({window, window})).first->second;
  }

private:
  int64_t window;
  std::unordered_map<int64_t, torch::Tensor> table;
};

class AllMasks {
public:
  explicit AllMasks(int64_t window) : window(window) {}
  const torch::Tensor &at(int64_t position) {
    const int64_t key = position + window;
    auto hit = table.find(key);
    if (hit != table.end())
      return hit->second;
    return table.emplace(key, torch::zeros({window, window})).first->second; // expected-note {{'table' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  }

private:
  int64_t window;
  std::unordered_map<int64_t, torch::Tensor> table; // expected-path {{'table' is declared here and outlives the step}}
};

void decode(Masks &few, AllMasks &all) {
  torch::NoGradGuard guard;
  for (int64_t i = 0; i < 100000; ++i)
    few.at(i).sum().item<float>() + all.at(i).sum().item<float>();
}

void last_losses(torch::nn::Linear net, torch::optim::SGD &optimizer, const torch::Tensor &x) {
  std::map<int, torch::Tensor> last, all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 100000; ++i) {
    auto loss = net(x).sum(); // expected-path {{the graph starts here}}
    last[i % 4] = loss;
    all[i] = loss; // expected-note {{what is added to 'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
