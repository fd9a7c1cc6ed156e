// One small program with a mode per shape of docs/patterns.md. A comment
// `finding: NAME ...` marks the line that a finding speaks of; findings.py makes
// the SARIF file from them.
#include "TwoLayers.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct Net : TwoLayers {
  torch::Tensor forward(torch::Tensor X) { return Out(torch::relu(In(X))); }
};

/// Rows 1, 5 and their fixed twin: no backward, no optimizer.
void evaluate(const std::string &Mode, Net &Model, int Steps) {
  std::vector<torch::Tensor> Outputs, Detached;
  torch::Tensor Total = torch::zeros({});
  for (int I = 0; I < Steps; ++I) { // loop: evaluate
    torch::Tensor X = torch::randn({128, 256});
    torch::Tensor Y = Model.forward(X); // producer: push sum detach
    torch::Tensor Loss = Y.pow(2).mean(); // producer: sum
    if (Mode == "push") Outputs.push_back(Y); // finding: push retention graph evaluate
    if (Mode == "detach") Detached.push_back(Y.detach()); // finding: detach retention plain evaluate
    if (Mode == "sum") Total = Total + Loss; // finding: sum retention graph evaluate
  } // end: evaluate
  std::cout << Outputs.size() + Detached.size() << "\n";
}

/// Rows 6 and 26 and a clean step.
void train(const std::string &Mode, Net &Model, int Steps) {
  torch::optim::SGD Optimizer(Model.parameters(), 1e-4);
  torch::Tensor Running = torch::zeros({});
  std::vector<float> Losses;
  std::vector<torch::Tensor> Kept;
  for (int I = 0; I < Steps; ++I) { // loop: train
    if (Mode != "nozero") Optimizer.zero_grad();
    torch::Tensor Loss = Model.forward(torch::randn({128, 256})).pow(2).mean(); // producer: running losses
    Loss.backward();
    Optimizer.step(); // finding: nozero correctness plain train
    if (Mode == "running") Running = Running + Loss; // finding: running retention graph train
    if (Mode == "keep") Kept.push_back(torch::ones({64, 128})); // no finding speaks of it
    Losses.push_back(Loss.item<float>()); // finding: losses retention graph train
  } // end: train
  std::cout << Losses.back() << "\n";
}

/// Row 28: the input dies at once. And a tensor that outlives its last use.
void peaks(const std::string &Mode) {
  torch::NoGradGuard Guard;
  if (Mode == "outofplace") {
    torch::Tensor X = torch::ones({1024, 1024});
    for (int I = 0; I < 30; ++I)
      X = X + 1; // finding: outofplace peak plain 4194304
    std::cout << X.numel() << "\n";
  }
  if (Mode == "lastuse") {
    torch::Tensor Big = torch::ones({1024, 1024}); // producer: lastuse
    double Sum = Big.sum().item<double>(); // finding: lastuse peak lastuse
    torch::Tensor Bigger = torch::ones({1024, 2048});
    std::cout << Sum + Bigger.sum().item<double>() << "\n";
  }
}

/// Row 22.
void forget(int Steps) {
  for (int I = 0; I < Steps; ++I)
    new torch::Tensor(torch::ones({64, 1024})); // finding: forget ownership plain
}

int main(int Count, char **Arguments) {
  std::string Mode = Count > 1 ? Arguments[1] : "clean";
  int Steps = Count > 2 ? std::atoi(Arguments[2]) : 60;
  torch::manual_seed(1);
  Net Model;
  if (Mode == "push" || Mode == "detach" || Mode == "sum")
    evaluate(Mode, Model, Steps);
  else if (Mode == "forget")
    forget(Steps);
  else if (Mode == "outofplace" || Mode == "lastuse")
    peaks(Mode);
  else
    train(Mode, Model, Steps);
  return 3;
}
