//===-- advice.cpp - Programs without leaks, and their leaner twins ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mode's twin does what the advice says; the peaks of both tell whether the
// advice's number is right. 1 MiB of parameters, 4 MiB per activation.
//
//===----------------------------------------------------------------------===//
#include <torch/torch.h>

#include <cstring>

namespace {

constexpr int64_t Width = 512, Batch = 2048, Steps = 12;

torch::Tensor forward(std::vector<torch::nn::Linear> &Net, torch::Tensor X) {
  for (auto &Layer : Net)
    X = torch::tanh(Layer->forward(X));
  return X;
}

void reset(std::vector<torch::nn::Linear> &Net, bool ToNone) {
  for (auto &Layer : Net)
    for (auto &P : Layer->parameters()) {
      if (ToNone)
        P.mutable_grad() = torch::Tensor();
      else if (P.grad().defined())
        P.mutable_grad().zero_();
    }
}

void train(torch::optim::Optimizer &Optimizer, std::vector<torch::nn::Linear> &Net, bool ToNone) {
  torch::Tensor X = torch::randn({Batch, Width});
  for (int Step = 0; Step < Steps; ++Step) {
    reset(Net, ToNone);
    forward(Net, X).pow(2).mean().backward();
    Optimizer.step();
  }
}

void infer(std::vector<torch::nn::Linear> &Net) {
  torch::Tensor X = torch::randn({Batch, Width});
  float Sum = 0;
  for (int Step = 0; Step < Steps; ++Step)
    Sum += forward(Net, X).sum().item<float>();
  std::printf("%d\n", Sum != Sum);
}

} // namespace

int main(int, char **Arguments) {
  auto Is = [&](const char *Mode) { return !std::strcmp(Arguments[1], Mode); };
  torch::manual_seed(1);
  std::vector<torch::nn::Linear> Net;
  std::vector<torch::Tensor> Parameters;
  for (int I = 0; I < 4; ++I) {
    Net.emplace_back(Width, Width);
    for (auto &P : Net.back()->parameters())
      Parameters.push_back(P);
  }
  torch::optim::Adam Adam(Parameters, 1e-3);
  torch::optim::SGD Sgd(Parameters, 1e-3);
  if (Is("adam"))
    train(Adam, Net, false);
  if (Is("sgd"))
    train(Sgd, Net, false);
  if (Is("none"))
    train(Adam, Net, true);
  if (Is("graph"))
    infer(Net);
  torch::NoGradGuard NoGrad;
  if (Is("nograd"))
    infer(Net);
}
