// Names are not declared, although every header is there, and the compiler drops statements. What
// these do not name they cannot freeze or empty; what they name they freeze and train only by what
// LibTorch has for it. (Where a header is missing: stand-ins.cpp.)
//
// RUN: not %tensorleak check -q --no-cache --level note --checks=-*,tensor-missing-no-grad %s -- %mock_flags >%t.txt 2>/dev/null
// RUN: FileCheck %s --implicit-check-not='{{(note|warning): .*\[tensor-}}' <%t.txt
#include <torch/script.h>

class Detector {
public:
  explicit Detector(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  std::vector<at::Tensor> detect(image::Mat &frame);
  at::Tensor shown(const at::Tensor &input);

private:
  torch::jit::Module module_;
};

std::vector<at::Tensor> Detector::detect(image::Mat &frame) {
  auto input = torch::from_blob(frame.data, {1, frame.rows, frame.cols, 3});
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(input.permute({0, 3, 1, 2}));
  // CHECK: dropped-code.cpp:[[@LINE+1]]:{{.*}}note: what 'module_' computes here is handed on
  at::Tensor output = module_.forward(inputs).toTensor();
  std::vector<at::Tensor> result;
  result.push_back(output);
  return result;
}

at::Tensor Detector::shown(const at::Tensor &input) {
  image::Window window;
  // CHECK: dropped-code.cpp:[[@LINE+1]]:{{.*}}note: what 'module_' computes here is handed on
  return module_.forward({input}).toTensor();
}

// The dropped code names the module, in a constructor too, and nothing that freezes it.
class Published {
public:
  explicit Published(const std::string &path) : module_(torch::jit::load(path)) {
    module_.eval();
    image::Topic topic(describe(module_));
  }
  void warm(const at::Tensor &input) {
    torch::NoGradGuard no_grad;
    image::Sink sink(module_.forward({input}));
  }
  at::Tensor run(const at::Tensor &input) {
    // CHECK: dropped-code.cpp:[[@LINE+1]]:{{.*}}note: what 'module_' computes here is handed on
    return module_.forward({input}).toTensor();
  }

private:
  torch::jit::Module module_;
};

// What calls the function has lost code that names no guard.
class Shown {
public:
  explicit Shown(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  void on_frame(const at::Tensor &input) {
    image::Window window;
    scores_ = run(input);
  }

private:
  at::Tensor run(const at::Tensor &input) {
    // CHECK: dropped-code.cpp:[[@LINE+1]]:{{.*}}note: what 'module_' computes here
    return module_.forward({input}).toTensor();
  }

  torch::jit::Module module_;
  at::Tensor scores_;
};

//===-- Near misses: the dropped code freezes the module, trains it, or holds a guard ----===//

class FrozenWhenMade {
public:
  explicit FrozenWhenMade(const std::string &path) : module_(torch::jit::load(path)) {
    module_.eval();
    image::Options options(freeze(module_));
  }
  at::Tensor run(const at::Tensor &input) { return module_.forward({input}).toTensor(); }

private:
  torch::jit::Module module_;
};

class Trained {
public:
  explicit Trained(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  void learn(const at::Tensor &input) {
    image::Loss loss(module_.forward({input}));
    loss.backward();
  }
  at::Tensor run(const at::Tensor &input) { return module_.forward({input}).toTensor(); }

private:
  torch::jit::Module module_;
};

class Guarded {
public:
  explicit Guarded(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  at::Tensor run(const at::Tensor &input) {
    image::Locked<torch::NoGradGuard> locked(module_);
    return module_.forward({input}).toTensor();
  }

private:
  torch::jit::Module module_;
};

class GuardedByCaller {
public:
  explicit GuardedByCaller(const std::string &path) : module_(torch::jit::load(path)) {
    module_.eval();
  }
  void on_frame(const at::Tensor &input) {
    image::Locked<torch::NoGradGuard> locked(module_);
    scores_ = run(input);
  }

private:
  at::Tensor run(const at::Tensor &input) { return module_.forward({input}).toTensor(); }

  torch::jit::Module module_;
  at::Tensor scores_;
};

class Frozen {
public:
  explicit Frozen(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  void prepare() { image::Options options(freeze(module_)); }
  at::Tensor run(const at::Tensor &input) { return module_.forward({input}).toTensor(); }

private:
  torch::jit::Module module_;
};

class FrozenOneByOne {
public:
  explicit FrozenOneByOne(const std::string &path) : module_(torch::jit::load(path)) {
    module_.eval();
  }
  void prepare() {
    for (auto parameter : module_.parameters())
      image::Flag off(parameter.requires_grad_(false));
  }
  at::Tensor run(const at::Tensor &input) { return module_.forward({input}).toTensor(); }

private:
  torch::jit::Module module_;
};
