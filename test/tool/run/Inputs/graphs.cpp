// Trainings whose graphs pile up after backward() has freed their tensors; and twins that keep
// none, or only for a while.
#include <torch/torch.h>

#include <functional>
#include <map>
#include <string>

using torch::Tensor;

struct Training {
  torch::nn::Linear Net{8, 1};
  torch::optim::SGD Optimizer{Net->parameters(), 0.01};
  Tensor step() {
    Optimizer.zero_grad();
    Tensor Loss = Net(torch::ones({4, 8})).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    return Loss;
  }
};

static void train(const std::function<void(int, const Tensor &)> &WithLoss) {
  Training T;
  for (int I = 0; I < 70; ++I)
    WithLoss(I, T.step());
}

static void summed() {
  Tensor Total = torch::zeros({});
  train([&Total](int, const Tensor &Loss) {
    Total = Total + Loss; // keeps: summed
  });
}

static void average() {
  static Tensor Average = torch::zeros({});
  train([](int, const Tensor &Loss) {
    Average = 0.9 * Average + 0.1 * Loss; // keeps: average
  });
}

static void detached() {
  Tensor Total = torch::zeros({});
  train([&Total](int, const Tensor &Loss) { Total = Total + Loss.detach(); });
}

static void window() {
  Tensor Total = torch::zeros({});
  train([&Total](int I, const Tensor &Loss) {
    Total = I % 8 ? Total + Loss : torch::zeros({});
  });
}

int main(int, char **Arguments) {
  const std::map<std::string, void (*)()> Modes{
      {"summed", summed}, {"average", average}, {"detached", detached}, {"window", window}};
  Modes.at(Arguments[1])();
  return 0;
}
