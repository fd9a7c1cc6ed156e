// A template of the user is instantiated when the parse is over. What Clang itself then
// declares late, as it does for an object of a class that is passed to "...", finds a place.
//
// RUN: not %tensorleak check %s -q --no-cache -- %mock_flags | FileCheck %s --implicit-check-not=warning:
#include <torch/torch.h>

#include <string>

template <typename T> struct Convertible {
  static char test(...);
  static T &make();
  static const bool Value = sizeof(test(make())) == 1;
};

std::vector<torch::Tensor> Kept;

template <typename T> void train(torch::nn::Linear Net, torch::Tensor X, const T &Steps) {
  if (Convertible<T>::Value)
    for (int I = 0; I < 9; ++I)
      // CHECK: late-declarations.cpp:[[#@LINE+1]]:{{.*}}warning:
      Kept.push_back(Net->forward(X));
}

void run(torch::nn::Linear Net, torch::Tensor X) { train(Net, X, std::string("nine")); }
