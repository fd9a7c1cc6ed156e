// Classes around a loaded module, as libraries of inference code have them: the module behind a
// pointer, run by a method that others wrap; results in what the caller hands in.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

class Embedding {
public:
  explicit Embedding(const std::string &path)
      : module_(std::make_unique<torch::jit::Module>(torch::jit::load(path))) {}
  Tensor operator()(const Tensor &image) { return embed(image); }

private:
  Tensor embed(const Tensor &image) {
    std::vector<torch::jit::IValue> inputs;
    inputs.push_back(image);
    Tensor output = module_->forward(inputs).toTensor(); // expected-note {{what 'module_' computes here is handed on with its graph}} [tensor-missing-no-grad]
    return output;
  }
  std::unique_ptr<torch::jit::Module> module_;
};

class Engine {
public:
  explicit Engine(const std::string &path) : module_(torch::jit::load(path)) {}
  void run(const std::vector<torch::jit::IValue> &inputs, torch::jit::IValue &output) {
    output = module_.forward(inputs); // expected-note {{what 'module_' computes here is handed on with its graph}} [tensor-missing-no-grad]
  }

private:
  torch::jit::Module module_;
};

//===-- Near misses ----------------------------------------------------------===//

/// Who compares two things differentiates the result.
class Distance {
public:
  explicit Distance(const std::string &path) : module_(torch::jit::load(path)) {}
  Tensor operator()(const Tensor &a, const Tensor &b) { return (embed(a) - embed(b)).norm(); }

private:
  Tensor embed(const Tensor &image) { return module_.forward({image}).toTensor(); }
  torch::jit::Module module_;
};

class Guarded {
public:
  explicit Guarded(const std::string &path) : module_(torch::jit::load(path)) {}
  Tensor operator()(const Tensor &image) {
    torch::NoGradGuard no_grad;
    return embed(image);
  }

private:
  Tensor embed(const Tensor &image) { return module_.forward({image}).toTensor(); }
  torch::jit::Module module_;
};

/// The second is not there for results: it is read.
class Residual {
public:
  explicit Residual(const std::string &path) : module_(torch::jit::load(path)) {}
  void run(const Tensor &input, Tensor &state) {
    state = module_.forward({input}).toTensor() + state;
  }

private:
  torch::jit::Module module_;
};
