// What the verifier costs: milliseconds per training step, bare and under `run`.
//   overhead big    GPU-bound: a wide MLP, few launches
//   overhead small  launch-bound: about 1,000 small ops a step
//   overhead mlp    a small MLP step on the CPU
//   overhead ops    additions of 8 floats, one after the other
//   overhead threads  the same in two threads at once
// A number after the name says how many steps.
// Prints the median time of a step, or of an operation, so that two runs can be divided by
// each other.
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Shape {
  int64_t Batch, Width, Layers;
};

torch::nn::Sequential makeNet(const Shape &S) {
  torch::nn::Sequential Net;
  for (int64_t I = 0; I < S.Layers; ++I) {
    Net->push_back(torch::nn::Linear(S.Width, S.Width));
    Net->push_back(torch::nn::ReLU());
  }
  return Net;
}

double median(std::vector<double> Values) {
  std::nth_element(Values.begin(), Values.begin() + Values.size() / 2, Values.end());
  return Values[Values.size() / 2];
}

/// Nanoseconds for one addition of 8 floats.
double medianOperation() {
  constexpr int Rounds = 200, PerRound = 5000;
  torch::NoGradGuard Guard;
  auto A = torch::ones({8}), B = torch::ones({8});
  std::vector<double> Times;
  for (int Round = 0; Round < Rounds; ++Round) {
    auto Start = Clock::now();
    for (int I = 0; I < PerRound; ++I)
      auto C = A + B;
    Times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - Start).count() /
                    PerRound);
  }
  return median(Times);
}

double medianOfTwoThreads() {
  double Other = 0;
  std::thread Second([&Other] { Other = medianOperation(); });
  double First = medianOperation();
  Second.join();
  return (First + Other) / 2;
}

double medianStep(const Shape &S, torch::Device Device, int Steps) {
  auto Net = makeNet(S);
  Net->to(Device);
  torch::optim::SGD Optimizer(Net->parameters(), 1e-4);
  auto X = torch::randn({S.Batch, S.Width}, Device);
  std::vector<double> Times;
  for (int Step = 0; Step < Steps; ++Step) {
    auto Start = Clock::now();
    Optimizer.zero_grad();
    auto Loss = Net->forward(X).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    if (Device.is_cuda())
      torch::cuda::synchronize();
    Times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - Start).count());
  }
  return median(Times);
}

} // namespace

int main(int Argc, char **Argv) {
  const char *Which = Argc > 1 ? Argv[1] : "mlp";
  bool OnCpu = !std::strcmp(Which, "mlp") || !torch::cuda::is_available();
  torch::manual_seed(1);
  torch::set_num_threads(1); // one operation is one core's work
  bool Ops = !std::strcmp(Which, "ops"), Threads = !std::strcmp(Which, "threads");
  if (Ops || Threads) {
    double Time = Ops ? medianOperation() : medianOfTwoThreads();
    std::cout << Which << " " << Time << " ns per operation\n";
    return 0;
  }
  Shape S = !std::strcmp(Which, "big")     ? Shape{8192, 4096, 16}
            : !std::strcmp(Which, "small") ? Shape{32, 64, 60}
                                           : Shape{64, 256, 3};
  int Steps = Argc > 2 ? std::stoi(Argv[2]) : !std::strcmp(Which, "big") ? 100 : 400;
  std::cout << Which << " " << medianStep(S, OnCpu ? torch::kCPU : torch::kCUDA, Steps)
            << " ms per step\n";
}
