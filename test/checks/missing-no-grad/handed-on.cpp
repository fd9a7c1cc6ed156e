// Results that go where they are not followed, in a file that trains nothing.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

class Detector {
public:
  explicit Detector(const std::string &path) {
    module_ = torch::jit::load(path);
    module_.eval();
  }

  Tensor detect(Tensor image) {
    std::vector<torch::jit::IValue> inputs{image};
    return module_.forward(inputs).toTensor(); // expected-note {{what 'module_' computes here is handed on with its graph}} [tensor-missing-no-grad]
  }

  void detect_into(Tensor image, std::vector<Tensor> &found) {
    found.push_back(module_.forward({image}).toTensor()); // expected-note {{is handed on}} [tensor-missing-no-grad]
  }

  // All that is done with a private member is seen: here it is only read out.
  float remember(Tensor image) {
    last_ = module_.forward({image}).toTensor(); // expected-note {{never differentiated}} [tensor-missing-no-grad]
    return last_.sum().item<float>();
  }

  //===-- Near misses -----------------------------------------------------===//

  Tensor guarded(Tensor image) {
    torch::NoGradGuard no_grad;
    return module_.forward({image}).toTensor();
  }

  Tensor in_inference_mode(Tensor image) {
    c10::InferenceMode mode;
    return module_.forward({image}).toTensor();
  }

  Tensor guarded_by_the_caller(Tensor image) {
    torch::NoGradGuard no_grad;
    return run(image);
  }

  Tensor detached(Tensor image) {
    torch::AutoGradMode mode(false);
    shown_ = module_.forward({image}).toTensor();
    return shown_;
  }

private:
  Tensor run(Tensor image) { return module_.forward({image}).toTensor(); }

  torch::jit::Module module_;
  Tensor last_, shown_;
};

Tensor decode(Tensor boxes);
void draw(Tensor image, Tensor boxes);

void to_functions_of_another_file(torch::nn::Linear net, Tensor image) {
  net->eval(); // expected-path {{'eval()' does not turn grad mode off}}
  auto boxes = net->forward(image); // expected-note {{what 'net' computes here is handed on with its graph}} [tensor-missing-no-grad]
  draw(image, decode(boxes));
}

// Nothing says that this is an evaluation.
void perhaps_trained(torch::nn::Linear net, Tensor image) {
  auto boxes = net->forward(image);
  draw(image, decode(boxes));
}

// The caller decides what becomes of it.
Tensor for_the_caller(torch::nn::Linear net, Tensor image) {
  net->eval();
  return decode(net->forward(image));
}

void for_the_caller_too(torch::nn::Linear net, Tensor image, Tensor &out) {
  net->eval();
  out = decode(net->forward(image));
}

void drawn_under_a_guard(torch::nn::Linear net, Tensor image) {
  net->eval();
  torch::NoGradGuard no_grad;
  draw(image, decode(net->forward(image)));
}

// Somebody else's module, as in a binding: they know whether they differentiate.
Tensor of_the_caller(torch::jit::Module &module, Tensor x) {
  return module.forward({x}).toTensor();
}

// A criterion that was written in Python: what it computes is to be differentiated.
class Criterion {
public:
  explicit Criterion(const std::string &path) { module_ = torch::jit::load(path); }
  Tensor operator()(Tensor output, Tensor target) {
    return module_.forward({output, target}).toTensor();
  }

private:
  torch::jit::Module module_;
};

// A module that is built here is often one that is trained elsewhere.
struct Built {
  Tensor run(Tensor x) { return net->forward(x); }
  torch::nn::Linear net{64, 64};
};
