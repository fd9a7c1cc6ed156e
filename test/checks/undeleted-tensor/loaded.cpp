// A model that is loaded and never used.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

void score(const char *path);

void loaded_for_nothing(const char *path) {
  torch::jit::Module model = torch::jit::load(path); // expected-note {{'model' is loaded and never used}} [tensor-undeleted-tensor]
  score(path);
}

float loaded_and_run(const char *path) {
  torch::NoGradGuard no_grad;
  torch::jit::Module model = torch::jit::load(path);
  return model.forward({torch::ones({4})}).toTensor().sum().item<float>();
}

torch::jit::Module loaded_for_the_caller(const char *path) {
  auto model = torch::jit::load(path);
  return model;
}
