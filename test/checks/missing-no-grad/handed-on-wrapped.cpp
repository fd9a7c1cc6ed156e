// Wrappers that give away the parameters of their loaded module: somebody trains it.
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

class Shared {
public:
  void init(const std::string &path);
  torch::Tensor run(torch::Tensor x) { return module_.forward({x}).toTensor(); }
  std::vector<torch::Tensor> weights() {
    std::vector<torch::Tensor> all;
    for (const torch::Tensor &weight : module_.parameters())
      all.push_back(weight);
    return all;
  }

private:
  torch::jit::Module module_;
};
