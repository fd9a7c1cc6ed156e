// A loaded module without eval() in a file that runs a backward pass and has no optimizer: whose
// gradients those are is not seen.
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

void differentiate(Teacher &teacher, Tensor x, std::vector<float> &values) {
  for (int i = 0; i < 10; ++i)
    torch::mse_loss(x, teacher.wanted(values)).backward();
}
