// A loaded module that is put in training mode: somebody trains it.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>

class Tuned {
public:
  explicit Tuned(const std::string &path) : module_(torch::jit::load(path)) { module_.train(); }
  torch::Tensor run(std::vector<float> &values) {
    return module_.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
  }

private:
  torch::jit::Module module_;
};
