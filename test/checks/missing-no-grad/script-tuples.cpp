// A loaded module that gives a tuple: what becomes of its parts becomes of the result.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

void consume(float value);

class Tuned {
public:
  explicit Tuned(const std::string &path) : module_(torch::jit::load(path)) {}
  void step(torch::optim::SGD &optimizer, const Tensor &input) {
    auto out = module_.forward({input}).toTuple();
    auto loss = out->elements()[0].toTensor().sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  float score(const Tensor &input) {
    auto out = module_.forward({input}).toTuple(); // expected-note {{what 'module_' computes here is never differentiated}} [tensor-missing-no-grad]
    return out->elements()[1].toTensor().sum().item<float>();
  }

private:
  torch::jit::Module module_;
};
