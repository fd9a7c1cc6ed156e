// Loaded modules that a function is handed by callers which only read the result, and members for
// which another file loads one.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

Tensor infer(torch::jit::Module &module, const std::vector<torch::jit::IValue> &inputs) {
  return module.forward(inputs).toTensor(); // expected-note {{what 'module' computes here is never differentiated}} [tensor-missing-no-grad]
}

void infer_into(torch::jit::Module &module, Tensor image, Tensor &output) {
  output = module.forward({image}).toTensor(); // expected-note {{what 'module' computes here is handed on with its graph}} [tensor-missing-no-grad]
}

float classify(const std::string &path, Tensor image) {
  torch::jit::Module module = torch::jit::load(path);
  Tensor output = infer(module, {image}), other;
  infer_into(module, image, other);
  return output.sum().item<float>() + other.sum().item<float>();
}

class Base {
public:
  void init(const std::string &path);

protected:
  torch::jit::Module module_;
  torch::jit::IValue output_;
  Tensor boxes_;
};

class Detector : public Base {
public:
  void process(Tensor image) {
    output_ = module_.forward({image}); // expected-note {{what 'module_' computes here is handed on with its graph}} [tensor-missing-no-grad]
    boxes_ = output_.toTuple()->elements()[0].toTensor();
  }
};

//===-- Near misses ----------------------------------------------------------===//

Tensor infer_guarded(torch::jit::Module &module, Tensor image) {
  torch::NoGradGuard no_grad;
  return module.forward({image}).toTensor();
}

static Tensor infer_for_a_guard(torch::jit::Module &module, Tensor image) {
  return module.forward({image}).toTensor();
}

float classify_guarded(const std::string &path, Tensor image) {
  torch::NoGradGuard no_grad;
  torch::jit::Module module = torch::jit::load(path);
  return infer_for_a_guard(module, image).sum().item<float>() +
         infer_guarded(module, image).sum().item<float>();
}

// The caller hands on what it is given: to whom, is not seen.
void publish(Tensor output);
Tensor infer_to_publish(torch::jit::Module &module, Tensor image, Tensor mask) {
  return module.forward({image, mask}).toTensor();
}
void publisher(torch::jit::Module &module, Tensor image, Tensor mask) {
  publish(infer_to_publish(module, image, mask));
}

// A part of a network is trained with it.
struct Layer : torch::nn::Module {
  Tensor forward(Tensor x) { return module_.forward({x}).toTensor(); }

private:
  torch::jit::Module module_;
};
