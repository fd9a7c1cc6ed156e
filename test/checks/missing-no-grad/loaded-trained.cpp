// A loaded module without eval() in a file that differentiates: what is computed may be a
// part of the loss.
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

void teach(Teacher &teacher, torch::nn::Linear pupil, Tensor x, std::vector<float> &values) {
  torch::optim::SGD optimizer(pupil->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
    torch::mse_loss(pupil->forward(x), teacher.wanted(values)).backward();
    optimizer.step();
  }
}
