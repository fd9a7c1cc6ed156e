// The user's own templates are analysed in the types that the program uses them
// with; each place is reported once, however many instantiations agree.
//
// RUN: not %tensorleak check %s -q -- %mock_flags | FileCheck %s --implicit-check-not=warning:
#include <torch/torch.h>

#include <algorithm>

std::vector<torch::Tensor> Kept;

// A function template, as in pytorch/examples.
template <typename DataLoader> void train(torch::nn::Linear Net, DataLoader &Data) {
  for (auto &Batch : Data)
    // CHECK: templates.cpp:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(Batch));
}

// Called from another template only.
template <typename T> void inner(T Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    // CHECK: templates.cpp:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(X));
}
template <typename T> void outer(T Net, torch::Tensor X) { inner(Net, X); }

// A member of a class template.
template <typename T> struct Trainer {
  T Net{nullptr};
  std::vector<torch::Tensor> Losses;
  void step(torch::Tensor X) {
    // CHECK: templates.cpp:[[#@LINE+1]]:{{.*}}warning:
    Losses.push_back(Net->forward(X));
  }
};

// A virtual method of a class template: calls through the base class do not name it.
struct Step {
  virtual ~Step() = default;
  virtual void run(torch::Tensor X) = 0;
};
template <typename T> struct StepOf : Step {
  T Net{nullptr};
  std::vector<torch::Tensor> Losses;
  void run(torch::Tensor X) override {
    for (int I = 0; I < 9; ++I)
      // CHECK: templates.cpp:[[#@LINE+1]]:{{.*}}warning:
      Losses.push_back(Net->forward(X));
  }
};
void runs(Step &Any, torch::Tensor X) { Any.run(X); }
void runsOne(torch::Tensor X) {
  StepOf<torch::nn::Linear> Own;
  runs(Own, X);
}

// No object of it is made: its virtual methods need not even make sense.
template <typename T> struct NoStep : Step {
  void run(torch::Tensor X) override { T::missing(X); }
};
using Unmade = NoStep<torch::nn::Linear>;
static_assert(sizeof(Unmade) > 0, "the class itself is there");

// Never used: no types, nothing to say.
template <typename T> void unused(T Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X));
}

int main() {
  torch::nn::Linear Net(4, 4);
  std::vector<torch::Tensor> Data;
  std::array<torch::Tensor, 4> Other;
  train(Net, Data);
  train(Net, Other);
  outer(Net, Data[0]);
  Trainer<torch::nn::Linear> T;
  for (torch::Tensor &X : Data)
    T.step(X);
  // A generic lambda that only a standard algorithm calls.
  for (int I = 0; I < 9; ++I)
    // CHECK: templates.cpp:[[#@LINE+1]]:{{.*}}warning:
    std::for_each(Data.begin(), Data.end(), [&](auto &X) { Kept.push_back(Net->forward(X)); });
}
