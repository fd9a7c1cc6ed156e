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
