// Elements that the rounds of a loop fill one by one, and loops over objects that own a network.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <memory>
#include <vector>

using torch::Tensor;

Tensor next_chunk(int step);

//===-- An element of its own for each step ---------------------------------===//

double filled_one_by_one(torch::nn::Linear net) {
  std::vector<Tensor> outputs(1000); // expected-path {{'outputs' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step)
    outputs[step] = net(next_chunk(step)); // expected-warning {{'outputs' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return torch::stack(outputs).mean().item<double>();
}

// Run backward, without a graph, one for each layer, or let go of.
void filled_for_a_pass(torch::nn::Linear net, torch::optim::SGD &opt) {
  std::vector<Tensor> values(1000);
  for (int step = 0; step < 1000; ++step)
    values[step] = net(next_chunk(step));
  opt.zero_grad();
  torch::stack(values).mean().backward();
  opt.step();
}

double filled_with_numbers(torch::nn::Linear net, std::vector<torch::nn::Linear> layers) {
  std::vector<Tensor> outputs(1000), taps(layers.size()), last(4);
  for (int step = 0; step < 1000; ++step)
    outputs[step] = net(next_chunk(step)).detach();
  auto x = next_chunk(0);
  for (size_t i = 0; i < layers.size(); ++i)
    taps[i] = x = layers[i](x);
  for (int step = 0; step < 1000; ++step)
    for (int i = 0; i < 4; ++i)
      last[i] = net(next_chunk(step));
  return (torch::stack(outputs).mean() + taps[0].sum() + last[0].sum()).item<double>();
}

//===-- Stages that own a network each ---------------------------------------===//

struct Stage {
  virtual ~Stage() = default;
  virtual Tensor run(Tensor x) = 0;
};
struct Layer : Stage {
  torch::nn::Linear net{64, 64};
  Tensor run(Tensor x) override { return torch::relu(net(x)); }
};
struct Filter {
  double weight = 1;
  Tensor run(torch::nn::Linear net, Tensor x) { return net(x) * weight; } // expected-path {{the graph starts here}}
};

void through_all_stages(std::vector<std::unique_ptr<Layer>> stages, float &sum) {
  auto x = next_chunk(0);
  for (auto &stage : stages)
    x = stage->run(x);
  sum = x.sum().item<float>();
}

void by_one_network(torch::nn::Linear net, std::vector<Filter> filters, float &sum) {
  auto x = next_chunk(0); // expected-path {{'x' is declared here and outlives the step}}
  for (auto &filter : filters)
    x = filter.run(net, x); // expected-warning {{'x' (declared outside the loop) is computed from itself}} [tensor-retained-activation]
  sum = x.sum().item<float>();
}
