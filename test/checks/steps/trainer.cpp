// A trainer as people write it: fit() runs epochs, an epoch runs steps, a step records. What is
// written for the steps is a part of the loop, through each of these calls.
//
// RUN: %check_tensor %s --tool-arg=--checks=tensor-*
#include <torch/torch.h>
using torch::Tensor;
struct Batch { Tensor data, target; };
std::vector<Batch> load(int epoch);

struct Metrics {
  std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  Tensor running = torch::zeros({1}); // expected-path {{'running' is declared here and outlives the step}}
  void record(const Tensor &loss) {
    losses.push_back(loss); // expected-warning {{'losses' (a member)}} [tensor-retained-activation] expected-fix {{.detach()}}
    running = running + loss; // expected-warning {{'running' (a member) is computed from itself}} [tensor-retained-activation]
  }
  void record_numbers(const Tensor &loss) { numbers.push_back(loss.item<float>()); }
  std::vector<float> numbers;
};

class Trainer {
public:
  Trainer(torch::nn::Linear net) : net_(net), optimizer_(net_->parameters(), 0.1) {}
  void fit(int epochs) {
    for (int epoch = 0; epoch < epochs; ++epoch)
      train_epoch(load(epoch));
  }

private:
  void train_epoch(const std::vector<Batch> &batches) {
    for (const auto &batch : batches)
      step(batch);
  }
  void step(const Batch &batch) {
    optimizer_.zero_grad();
    auto loss = compute(batch);
    loss.backward();
    optimizer_.step();
    metrics_.record_numbers(loss);
  }
  Tensor compute(const Batch &batch) { return torch::mse_loss(net_(batch.data), batch.target); }
  torch::nn::Linear net_;
  torch::optim::SGD optimizer_;
  Metrics metrics_;
};

void evaluate(torch::nn::Linear net, const std::vector<Batch> &batches) {
  Metrics metrics;
  for (const auto &batch : batches)
    metrics.record(torch::mse_loss(net(batch.data), batch.target)); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

int main() {
  torch::nn::Linear net(8, 8);
  Trainer(net).fit(10);
  evaluate(net, load(0));
}
