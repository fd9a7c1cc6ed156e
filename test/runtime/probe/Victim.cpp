//===-- Victim.cpp - A LibTorch program for the probe's tests ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does what its first argument says, the second is the number of steps. Built as a
// program, and as a plugin (PLUGIN) that Host.cpp loads with RTLD_LOCAL.
// ProbeTest.cpp knows the names of these functions and the marked lines.
//
//===----------------------------------------------------------------------===//
#include <torch/torch.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" void tensorleak_step() __attribute__((weak));

namespace {

std::vector<torch::Tensor> Kept;

torch::nn::Sequential makeNet() {
  return torch::nn::Sequential(torch::nn::Linear(16, 32), torch::nn::Tanh(),
                               torch::nn::Linear(32, 1));
}

enum class Mode { Clean, KeepLoss, SumLoss, NoZeroGrad, KeepGraph };

void train(int Steps, Mode How) {
  torch::nn::Sequential Net = makeNet();
  torch::optim::SGD Optimizer(Net->parameters(), 0.01);
  torch::Tensor Sum = torch::zeros({});
  for (int Step = 0; Step < Steps; ++Step) {
    torch::Tensor Input = torch::ones({8, 16});
    if (How != Mode::NoZeroGrad)
      Optimizer.zero_grad();
    torch::Tensor Loss = Net->forward(Input).pow(2).mean();
    Loss.backward({}, How == Mode::KeepGraph);
    Optimizer.step();
    if (How == Mode::KeepLoss)
      Kept.push_back(Loss); // LINE keep
    if (How == Mode::SumLoss)
      Sum = Sum + Loss; // LINE sum
  }
}

void infer(int Steps) {
  torch::nn::Sequential Net = makeNet();
  torch::NoGradGuard Guard;
  for (int Step = 0; Step < Steps; ++Step) { // LINE loop
    torch::Tensor Output = Net->forward(torch::ones({8, 16}));
    if (Step % 2 == 0)
      Kept.push_back(Output); // LINE every-other
    if (Step == 3)
      Output.add_(1); // LINE once
  }
}

void marked(int Steps) {
  for (int Step = 0; Step < Steps; ++Step) {
    Kept.push_back(torch::ones({256}));
    if (tensorleak_step)
      tensorleak_step();
  }
}

void outOfPlace(int Steps) {
  torch::NoGradGuard Guard;
  torch::Tensor X = torch::ones({1024});
  for (int Step = 0; Step < Steps; ++Step)
    X = X * 2.0;
}

void threads(int Steps) {
  std::vector<std::thread> Pool;
  for (int I = 0; I < 4; ++I)
    Pool.emplace_back([Steps] {
      for (int Step = 0; Step < Steps; ++Step)
        torch::Tensor Temporary = torch::ones({64}) + 1;
    });
  for (std::thread &T : Pool)
    T.join();
}

/// The child trains, the parent trains; both count for themselves.
void forks(int Steps) {
  train(Steps, Mode::Clean);
  if (pid_t Child = fork(); Child == 0) {
    marked(2 * Steps);
    std::exit(0);
  } else {
    waitpid(Child, nullptr, 0);
  }
}

void die(int Steps, int Signal) {
  train(Steps, Mode::KeepLoss);
  raise(Signal);
}

int run(const std::string &What, int Steps) {
  if (What == "clean" || What == "exit-7")
    train(Steps, Mode::Clean);
  else if (What == "keep")
    train(Steps, Mode::KeepLoss);
  else if (What == "sum")
    train(Steps, Mode::SumLoss);
  else if (What == "no-zero-grad")
    train(Steps, Mode::NoZeroGrad);
  else if (What == "keep-graph")
    train(Steps, Mode::KeepGraph);
  else if (What == "infer")
    infer(Steps);
  else if (What == "marked")
    marked(Steps);
  else if (What == "out-of-place")
    outOfPlace(Steps);
  else if (What == "threads")
    threads(Steps);
  else if (What == "fork")
    forks(Steps);
  else if (What == "kill")
    die(Steps, SIGKILL);
  else if (What == "term")
    die(Steps, SIGTERM);
  else if (What == "throw")
    throw std::runtime_error("on purpose");
  std::cout << "done " << What << std::endl;
  return What == "exit-7" ? 7 : 0;
}

} // namespace

#ifdef PLUGIN
extern "C" int runPlugin(const char *What, int Steps) { return run(What, Steps); }
#else
int main(int Argc, char **Argv) { return Argc == 3 ? run(Argv[1], std::atoi(Argv[2])) : 2; }
#endif
