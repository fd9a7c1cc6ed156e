// What the verifier costs: milliseconds per training step, bare and under `run`.
//   overhead big    GPU-bound: a wide MLP, few launches
//   overhead small  launch-bound: about 1,000 small ops a step
//   overhead mlp    a small MLP step on the CPU
// Prints the median step time, so that two runs can be divided by each other.
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>

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
  std::nth_element(Times.begin(), Times.begin() + Steps / 2, Times.end());
  return Times[Steps / 2];
}

} // namespace

int main(int Argc, char **Argv) {
  const char *Which = Argc > 1 ? Argv[1] : "mlp";
  bool OnCpu = !std::strcmp(Which, "mlp") || !torch::cuda::is_available();
  torch::manual_seed(1);
  Shape S = !std::strcmp(Which, "big")     ? Shape{8192, 4096, 16}
            : !std::strcmp(Which, "small") ? Shape{32, 64, 60}
                                           : Shape{64, 256, 3};
  int Steps = !std::strcmp(Which, "big") ? 100 : 400;
  std::cout << Which << " " << medianStep(S, OnCpu ? torch::kCPU : torch::kCUDA, Steps)
            << " ms per step\n";
}
