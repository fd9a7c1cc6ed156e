// Growth that is no leak, a mode each: it ends by itself. The second argument is a seed,
// which chooses sizes and the order of things.
#include <torch/torch.h>

#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

using torch::Tensor;

static std::mt19937 Random;
static int between(int Low, int High) {
  return std::uniform_int_distribution<int>(Low, High)(Random);
}

/// The last outputs, of which there is room for so many.
static void ring(int Steps) {
  torch::nn::Linear Net(32, 32);
  torch::optim::SGD Optimizer(Net->parameters(), .01);
  std::deque<Tensor> Last;
  size_t Room = static_cast<size_t>(between(8, 150));
  for (int I = 0; I < Steps; ++I) { // loop: ring
    Optimizer.zero_grad();
    Tensor Y = Net(torch::randn({8, 32})); // producer: ring
    Y.pow(2).mean().backward();
    Optimizer.step();
    Last.push_back(Y.detach()); // finding: ring retention plain ring
    if (Last.size() > Room)
      Last.pop_front();
  } // end: ring
}

/// What depends on a length is computed once per length.
static void shapes(int Steps) {
  torch::nn::Linear Net(32, 1);
  torch::optim::SGD Optimizer(Net->parameters(), .01);
  std::map<int, Tensor> Positions;
  int Lengths = between(10, 24);
  for (int I = 0; I < Steps; ++I) { // loop: shapes
    int Length = 8 * between(1, Lengths);
    if (!Positions.count(Length))
      Positions[Length] = torch::randn({Length, 32}); // finding: shapes retention plain shapes
    Optimizer.zero_grad();
    Net(torch::randn({Length, 32}) + Positions[Length]).pow(2).mean().backward();
    Optimizer.step();
  } // end: shapes
}

/// An optimizer makes its state for a parameter when that first has a gradient.
static void state(int Steps) {
  int Count = between(8, 20);
  std::vector<torch::nn::Linear> Experts;
  std::vector<Tensor> Parameters;
  for (int I = 0; I < Count; ++I) {
    Experts.emplace_back(32, 32);
    for (const Tensor &P : Experts.back()->parameters())
      Parameters.push_back(P);
  }
  torch::optim::Adam Optimizer(Parameters, 1e-3);
  for (int I = 0; I < Steps; ++I) { // loop: state
    Optimizer.zero_grad();
    auto Which = static_cast<size_t>(between(0, Count - 1));
    Experts[Which](torch::randn({8, 32})).pow(2).mean().backward();
    Optimizer.step(); // finding: state retention plain state
  } // end: state
}

/// A copy of the parameters whenever they are better than ever.
static void best(int Steps) {
  torch::nn::Linear Net(32, 32);
  torch::optim::SGD Optimizer(Net->parameters(), .05);
  std::vector<Tensor> Best;
  float Least = std::numeric_limits<float>::max();
  for (int I = 0; I < Steps; ++I) { // loop: best
    Optimizer.zero_grad();
    Tensor Loss = Net(torch::randn({4, 32})).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    if (float Now = Loss.item<float>(); Now < Least) {
      Least = Now;
      Best.clear();
      for (const Tensor &P : Net->parameters())
        Best.push_back(P.detach().clone()); // finding: best retention plain best
    }
  } // end: best
}

int main(int Count, char **Arguments) {
  const std::map<std::string, std::function<void(int)>> Modes{
      {"ring", ring}, {"shapes", shapes}, {"state", state}, {"best", best}};
  unsigned Seed = Count > 2 ? static_cast<unsigned>(std::atoi(Arguments[2])) : 1;
  Random.seed(Seed);
  torch::manual_seed(Seed);
  Modes.at(Arguments[1])(Count > 3 ? std::atoi(Arguments[3]) : 160);
  std::cout << "done\n";
  return 0;
}
