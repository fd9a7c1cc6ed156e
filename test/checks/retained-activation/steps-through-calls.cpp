// A function is a part of the steps that call what calls it.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <iostream>
#include <vector>

using torch::Tensor;

static std::vector<Tensor> &taps() {
  static std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  return all;
}

Tensor tap(Tensor x) {
  taps().push_back(x.detach()); // expected-note {{'all' (a static variable) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  return x;
}

struct TappedImpl : torch::nn::Module {
  TappedImpl() : Layer(64, 64) { register_module("layer", Layer); }
  Tensor forward(Tensor x) { return tap(torch::relu(Layer->forward(x))); }
  torch::nn::Linear Layer;
};
TORCH_MODULE(Tapped);

void train(Tapped net, torch::optim::SGD &opt) {
  for (int i = 0; i < 100; ++i) {
    opt.zero_grad();
    net->forward(torch::rand({64, 64})).sum().backward();
    opt.step();
  }
}

//===-- Sums that begin where the weight is still 0 ---------------------------===//

template <class T> class WeightedMean {
public:
  void add(const T &value, double weight) {
    if (Weight == 0)
      Sum = value * weight;
    else
      Sum = Sum + value * weight; // expected-note {{'Sum' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation]
    Weight += weight;
  }
  T mean() const { return Sum / Weight; }

private:
  T Sum{}; // expected-path {{'Sum' is declared here and outlives the step}}
  double Weight = 0;
};

void average(torch::nn::Linear net, torch::optim::SGD &opt) {
  WeightedMean<Tensor> mean;
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(torch::rand({64, 64})).sum(); // expected-path {{the graph starts here}}
    opt.zero_grad();
    loss.backward();
    opt.step();
    mean.add(loss, 2); // expected-path {{called here in every step}}
  }
  std::cout << mean.mean().item<double>();
}

/// Near misses: it begins anew whenever somebody asks, and it sums numbers.
class Restarted {
public:
  void add(const Tensor &value, double weight) {
    if (Weight == 0)
      Sum = value * weight;
    else
      Sum = Sum + value * weight;
    Weight += weight;
  }
  double take() {
    const double mean = Sum.item<double>() / Weight;
    Weight = 0;
    return mean;
  }

private:
  Tensor Sum;
  double Weight = 0;
};

void averages(torch::nn::Linear net, torch::optim::SGD &opt) {
  Restarted mean;
  WeightedMean<double> numbers;
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(torch::rand({64, 64})).sum();
    opt.zero_grad();
    loss.backward();
    opt.step();
    mean.add(loss, 2);
    numbers.add(loss.item<double>(), 2);
    if (i % 10 == 9)
      std::cout << mean.take();
  }
}

//===-- Lists that are moved into what is made of them ------------------------===//

class Index {
public:
  Index &read(torch::nn::Linear tower) {
    torch::NoGradGuard guard;
    for (int i = 0; i < 100; ++i)
      Chunks.push_back(tower->forward(torch::rand({64, 64})));
    return *this;
  }
  Tensor build() { return torch::cat(std::move(Chunks)); }

private:
  std::vector<Tensor> Chunks;
};

Tensor made(torch::nn::Linear tower) { return Index().read(tower).build(); }

int main() {
  torch::nn::Linear net(64, 64);
  torch::optim::SGD opt(net->parameters(), 0.1);
  train(Tapped(), opt);
  average(net, opt);
  averages(net, opt);
  made(net);
}
