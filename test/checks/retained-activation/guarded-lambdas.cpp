// What a lambda computes under its guard has no graph, whoever uses it later.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <deque>
#include <torch/torch.h>
#include <tuple>
#include <vector>

struct Step {
  torch::Tensor seen, chance;
};

class Memory {
public:
  void put(Step step) {
    if (steps.size() == 1000)
      steps.pop_front();
    steps.push_back(std::move(step)); // expected-note {{what is added to 'steps' (a member) carries a graph that is never run backward}} [tensor-retained-activation]
  }

private:
  std::deque<Step> steps; // expected-path {{'steps' is declared here and outlives the step}}
};

struct PolicyImpl : torch::nn::Module {
  PolicyImpl() { register_module("layer", layer); }
  std::tuple<torch::Tensor, torch::Tensor> sample(const torch::Tensor &seen) {
    auto out = layer(seen); // expected-path {{the graph starts here}}
    return {torch::tanh(out), out.log()};
  }
  torch::nn::Linear layer{17, 6};
};
TORCH_MODULE(Policy);

void guarded(Policy policy, torch::optim::Adam &optimizer) {
  std::deque<Step> kept;
  const auto act = [&policy](const torch::Tensor &seen) {
    torch::NoGradGuard guard;
    return policy->sample(seen);
  };
  for (int i = 0; i < 1000; ++i) {
    auto seen = torch::randn({17});
    auto [action, chance] = act(seen);
    kept.push_back({seen, chance});
    std::vector<torch::Tensor> all;
    for (const Step &step : kept)
      all.push_back(step.seen);
    auto [other, loss] = policy->sample(torch::stack(all));
    optimizer.zero_grad();
    loss.sum().backward();
    optimizer.step();
  }
}

void not_guarded(Policy policy, torch::optim::Adam &optimizer) {
  Memory kept;
  const auto act = [&policy](const torch::Tensor &seen) {
    return policy->sample(seen);
  };
  for (int i = 0; i < 1000; ++i) {
    auto seen = torch::randn({17});
    auto [action, chance] = act(seen);
    kept.put({seen, chance}); // expected-path {{called here in every step}}
    auto [other, loss] = policy->sample(seen);
    optimizer.zero_grad();
    loss.sum().backward();
    optimizer.step();
  }
}
