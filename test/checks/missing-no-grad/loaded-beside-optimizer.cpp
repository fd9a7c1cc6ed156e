// A loaded module without eval() in a file that makes an optimizer, whose steps are elsewhere.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

class Teacher {
public:
  explicit Teacher(const std::string &path) : module_(torch::jit::load(path)) {}
  Tensor wanted(std::vector<float> &values) {
    return module_.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
  }

private:
  torch::jit::Module module_;
};

void train(torch::nn::Linear pupil, torch::optim::SGD &optimizer);

void begin(torch::nn::Linear pupil) {
  torch::optim::SGD optimizer(pupil->parameters(), 0.1);
  train(pupil, optimizer);
}
