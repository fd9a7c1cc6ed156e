// Loaded modules that are run without eval(), whose parameters nobody else can reach.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

Tensor decode(Tensor boxes);
Tensor preprocess(Tensor image);
void show(float value);

class Scorer {
public:
  explicit Scorer(const std::string &path) : module_(torch::jit::load(path)) {}

  Tensor score(std::vector<float> &values) {
    auto input = torch::from_blob(values.data(), {1, 64});
    return module_.forward({input}).toTensor(); // expected-note {{what 'module_' computes here is handed on with its graph}} [tensor-missing-no-grad]
  }

  Tensor decoded(std::vector<float> &values) {
    std::vector<torch::jit::IValue> inputs;
    inputs.push_back(torch::from_blob(values.data(), {1, 64}).clone() / 255);
    auto boxes = module_.forward(inputs).toTensor(); // expected-note {{what 'module_' computes here is handed on}} [tensor-missing-no-grad]
    return decode(boxes);
  }

  // An entry point: its callers are elsewhere, and give it what a model is given.
  Tensor of_the_caller(Tensor image) {
    return module_.forward({preprocess(image)}).toTensor(); // expected-note {{what 'module_' computes here is handed on}} [tensor-missing-no-grad]
  }

  std::vector<Tensor> of_a_batch(const std::vector<Tensor> &images, float threshold) {
    std::vector<Tensor> found;
    for (auto &image : images) {
      auto scores = module_.forward({image}).toTensor(); // expected-note {{what 'module_' computes here is handed on}} [tensor-missing-no-grad]
      found.push_back(scores.gt(threshold) * scores);
    }
    return found;
  }

  // The callers below only read what they get.
  Tensor run(Tensor input) { return module_.forward({input}).toTensor(); } // expected-note {{what 'module_' computes here is never differentiated}} [tensor-missing-no-grad]

  //===-- Near misses -----------------------------------------------------===//

  // The graph may be that of the caller's tensor: of a loss, or of a reward.
  Tensor criterion(Tensor output, Tensor target) {
    return module_.forward({output, target}).toTensor();
  }

  // What is scored here may have a graph: this is somebody else's network.
  Tensor of_a_network(torch::nn::Linear net, Tensor image) {
    return module_.forward({net->forward(image)}).toTensor();
  }

  Tensor guarded(std::vector<float> &values) {
    torch::NoGradGuard no_grad;
    return module_.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
  }

  // One of its callers hands on what it gets.
  Tensor run_for_others(Tensor input) { return module_.forward({input}).toTensor(); }

private:
  torch::jit::Module module_;
};

void read_scores(Scorer &scorer, Tensor input) {
  for (int i = 0; i < 10; ++i)
    show(scorer.run(input).max().item<float>());
}

void hand_on_scores(Scorer &scorer, Tensor input) {
  show(scorer.run_for_others(input).max().item<float>());
  decode(scorer.run_for_others(input));
}

class Server {
public:
  void load(const std::string &path) {
    module_ = std::make_shared<torch::jit::Module>(torch::jit::load(path));
    module_->to(torch::kCPU);
  }
  void predict(std::vector<float> &values, std::vector<Tensor> &answers) {
    auto input = torch::from_blob(values.data(), {1, 64});
    answers.push_back(module_->forward({input}).toTensor()); // expected-note {{is handed on}} [tensor-missing-no-grad]
  }

private:
  std::shared_ptr<torch::jit::Module> module_;
};

Tensor of_a_variable(const std::string &path, std::vector<float> &values) {
  auto module = torch::jit::load(path);
  return module.forward({torch::from_blob(values.data(), {1, 64})}).toTensor(); // expected-note {{what 'module' computes here is handed on}} [tensor-missing-no-grad]
}

//===-- Near misses: others may use the gradients --------------------------===//

// The module is somebody else's.
class Borrowed {
public:
  explicit Borrowed(torch::jit::Module module) : module_(std::move(module)) {}
  Tensor score(std::vector<float> &values) {
    return module_.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
  }

private:
  torch::jit::Module module_;
};

// Or becomes theirs.
class Lent {
public:
  explicit Lent(const std::string &path) : module_(torch::jit::load(path)) {}
  torch::jit::Module &module() { return module_; }
  Tensor score(std::vector<float> &values) {
    return module_.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
  }

private:
  torch::jit::Module module_;
};

void prepare(torch::jit::Module &module);

Tensor prepared_elsewhere(const std::string &path, std::vector<float> &values) {
  auto module = torch::jit::load(path);
  prepare(module);
  return module.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
}

// A part of a network that is trained as a whole.
class EncoderImpl : public torch::nn::Module {
public:
  explicit EncoderImpl(const std::string &path) : backbone_(torch::jit::load(path)) {}
  Tensor forward(std::vector<float> &values) {
    auto x = backbone_.forward({torch::from_blob(values.data(), {1, 64})}).toTensor();
    return fc->forward(x);
  }

private:
  torch::jit::Module backbone_;
  torch::nn::Linear fc{64, 8};
};

// A network of the user's own that is not loaded.
class Own {
public:
  Tensor score(std::vector<float> &values) {
    return net_->forward(torch::from_blob(values.data(), {1, 64}));
  }

private:
  torch::nn::Linear net_{64, 8};
};
