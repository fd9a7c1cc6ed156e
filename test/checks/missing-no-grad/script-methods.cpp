// Other ways to run a loaded module: a method by its name, at once or later.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

void show(float value);

class Encoder {
public:
  explicit Encoder(const std::string &path) : module_(torch::jit::load(path)) {}

  std::vector<float> encode(std::vector<float> &values) {
    Tensor input = torch::from_blob(values.data(), {1, 64});
    Tensor out = module_.run_method("encode", input).toTensor(); // expected-note {{what 'module_' computes here}} [tensor-missing-no-grad]
    return {out.item<float>()};
  }

  std::vector<float> decode(std::vector<float> &values) {
    std::vector<torch::jit::IValue> inputs;
    inputs.push_back(torch::from_blob(values.data(), {1, 64}));
    Tensor out = module_.get_method("decode")(inputs).toTensor(); // expected-note {{what 'module_' computes here}} [tensor-missing-no-grad]
    return {out.item<float>()};
  }

  // Near misses: under a guard, and what only asks.
  float guarded(std::vector<float> &values) {
    torch::InferenceMode guard;
    Tensor input = torch::from_blob(values.data(), {1, 64});
    return module_.run_method("encode", input).toTensor().item<float>();
  }

  void asks() { auto method = module_.get_method("encode"); }

private:
  torch::jit::Module module_;
};

//===-- Handed on to callers that nobody sees --------------------------------===//

class Recognizer {
public:
  explicit Recognizer(const std::string &path) : encoder_(torch::jit::load(path)) {}
  Tensor encode(const Tensor &frames);
  std::pair<Tensor, torch::jit::IValue> stream(const Tensor &frames);
  Tensor guarded(const Tensor &frames);

private:
  torch::jit::Module encoder_;
};

Tensor Recognizer::encode(const Tensor &frames) {
  return encoder_.run_method("encode", frames, false).toTensor(); // expected-note {{is handed on}} [tensor-missing-no-grad]
}

std::pair<Tensor, torch::jit::IValue> Recognizer::stream(const Tensor &frames) {
  torch::jit::IValue result = encoder_.run_method("stream", frames); // expected-note {{is handed on}} [tensor-missing-no-grad]
  return {result.toTuple()->elements()[0].toTensor(), result.toTuple()->elements()[1]};
}

Tensor Recognizer::guarded(const Tensor &frames) {
  torch::NoGradGuard guard;
  return encoder_.run_method("encode", frames).toTensor();
}

//===-- Parts of a module that is evaluated -----------------------------------===//

class Transducer {
public:
  explicit Transducer(const std::string &path)
      : model_(torch::jit::load(path)), joiner_(model_.attr("joiner").toModule()) {
    model_.eval();
    encoder_ = model_.attr("encoder").toModule();
    first_ = encoder_.attr("first").toModule();
  }
  Tensor encode(const Tensor &frames, const Tensor &lengths);
  Tensor first(const Tensor &frames, const Tensor &lengths);
  Tensor join(const Tensor &left, const Tensor &right);
  Tensor decode(const Tensor &tokens, const Tensor &lengths);

private:
  torch::jit::Module model_, joiner_, encoder_, first_;
};

Tensor Transducer::encode(const Tensor &frames, const Tensor &lengths) {
  return encoder_.run_method("encode", frames, lengths).toTensor(); // expected-note {{'encoder_'}} [tensor-missing-no-grad]
}
Tensor Transducer::first(const Tensor &frames, const Tensor &lengths) {
  return first_.run_method("encode", frames, lengths).toTensor(); // expected-note {{'first_'}} [tensor-missing-no-grad]
}
Tensor Transducer::join(const Tensor &left, const Tensor &right) {
  return joiner_.run_method("join", left, right).toTensor(); // expected-note {{'joiner_'}} [tensor-missing-no-grad]
}
Tensor Transducer::decode(const Tensor &tokens, const Tensor &lengths) {
  return model_.attr("decoder").toModule().run_method("decode", tokens, lengths).toTensor(); // expected-note {{'model_'}} [tensor-missing-no-grad]
}

// Near miss: a part of one that is not evaluated. Callers may differentiate what it compares.
class Criterion {
public:
  explicit Criterion(const std::string &path) : model_(torch::jit::load(path)) {
    distance_ = model_.attr("distance").toModule();
  }
  Tensor compare(const Tensor &output, const Tensor &target);

private:
  torch::jit::Module model_, distance_;
};
Tensor Criterion::compare(const Tensor &output, const Tensor &target) {
  return distance_.run_method("compare", output, target).toTensor();
}
