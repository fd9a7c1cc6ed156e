// A wrapper that gives away the parameters of its loaded module: somebody trains it.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>

class Wrapped {
public:
  explicit Wrapped(const std::string &path) : module_(torch::jit::load(path)) {}
  void evaluate() { module_.eval(); }
  void train() { module_.train(); }
  torch::Tensor run(torch::Tensor x) { return module_.forward({x}).toTensor(); }

private:
  torch::jit::Module module_;
};
