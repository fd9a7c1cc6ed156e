// Modules whose parameters torch::jit::freeze() makes constants: what it returns is frozen, and
// nothing else in the file is.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

#include <memory>
#include <vector>

using torch::Tensor;
using torch::jit::Module;

void show(float value);

// What is loaded beside them speaks.
void as_loaded(Tensor x) {
  auto module = torch::jit::load("m.pt");
  module.eval(); // expected-path {{'eval()' does not turn grad mode off}} [tensor-missing-no-grad]
  for (int i = 0; i < 9; ++i)
    show(module.forward({x}).toTensor().sum().item<float>()); // expected-note {{what 'module' computes here is never differentiated}} [tensor-missing-no-grad]
}

// freeze() returns a copy: what it is given requires gradients as before.
void the_other_one(Tensor x) {
  auto module = torch::jit::load("m.pt");
  module.eval(); // expected-path {{'eval()' does not turn grad mode off}} [tensor-missing-no-grad]
  auto frozen = torch::jit::freeze(module);
  for (int i = 0; i < 9; ++i) {
    show(frozen.forward({x}).toTensor().sum().item<float>());
    show(module.forward({x}).toTensor().sum().item<float>()); // expected-note {{what 'module' computes here is never differentiated}} [tensor-missing-no-grad]
  }
}

void a_network_beside(torch::nn::Linear net, Tensor x) {
  auto frozen = torch::jit::freeze(torch::jit::load("m.pt"));
  for (int i = 0; i < 9; ++i) {
    auto features = frozen.forward({x}).toTensor();
    show(net->forward(features).sum().item<float>()); // expected-note {{what 'net' computes here is never differentiated}} [tensor-missing-no-grad]
  }
}

//===-- Near misses -------------------------------------------------------===//

void declared(Tensor x) {
  Module module = torch::jit::load("m.pt");
  module.eval();
  Module frozen = torch::jit::freeze(module);
  for (int i = 0; i < 9; ++i)
    show(frozen.forward({x}).toTensor().sum().item<float>());
}

void assigned(Tensor x) {
  auto module = torch::jit::load("m.pt");
  module.eval();
  module = torch::jit::freeze(module);
  module = torch::jit::optimize_for_inference(module);
  for (int i = 0; i < 9; ++i)
    show(module.forward({x}).toTensor().sum().item<float>());
}

void pointed_to(Tensor x) {
  auto module = std::make_shared<Module>(torch::jit::freeze(torch::jit::load("m.pt")));
  for (int i = 0; i < 9; ++i)
    show(module->forward({x}).toTensor().sum().item<float>());
}

void listed(Tensor x) {
  std::vector<Module> modules;
  for (int i = 0; i < 3; ++i)
    modules.push_back(torch::jit::freeze(torch::jit::load("m.pt")));
  for (auto &module : modules)
    show(module.forward({x}).toTensor().sum().item<float>());
}

void handed_in(Module module, Tensor x) {
  module = torch::jit::freeze(module);
  for (int i = 0; i < 9; ++i)
    show(module.forward({x}).toTensor().sum().item<float>());
}

// Whoever writes this means that the module is frozen.
void in_its_place(Tensor x) {
  auto module = torch::jit::load("m.pt");
  module.eval();
  torch::jit::optimize_for_inference(module);
  for (int i = 0; i < 9; ++i)
    show(module.forward({x}).toTensor().sum().item<float>());
}

class Scorer {
public:
  explicit Scorer(const std::string &path) : module_(torch::jit::freeze(torch::jit::load(path))) {}
  float score(Tensor x) { return module_.forward({x}).toTensor().sum().item<float>(); }

private:
  Module module_;
};
