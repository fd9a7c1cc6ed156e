// A loaded module that is trained on: its results are differentiated.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

class Tuned {
public:
  explicit Tuned(const std::string &path) {
    module_ = torch::jit::load(path);
    module_.eval();
  }
  Tensor run(Tensor x) { return module_.forward({x}).toTensor(); }

private:
  torch::jit::Module module_;
};

void train(Tuned &tuned, torch::nn::Linear head, Tensor x) {
  torch::optim::SGD optimizer(head->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
    head->forward(tuned.run(x)).sum().backward();
    optimizer.step();
  }
}

// What a frozen network in evaluation mode computes is often a part of a loss.
Tensor style_of(Tensor features);
void keep(Tensor style);

void of_a_fixed_network(torch::nn::Linear features, Tensor image) {
  features->eval();
  keep(style_of(features->forward(image)));
}
