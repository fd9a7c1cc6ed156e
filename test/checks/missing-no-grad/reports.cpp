// What public bug reports about the memory of inference showed, written anew: each with the form
// that does not keep activations.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_image();

//===-- The inference thread of a plug-in (anira#45) -------------------------===//

class Processor {
public:
  explicit Processor(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  float process(Tensor input) {
    inputs_.clear();
    inputs_.push_back(input);
    return module_.forward(inputs_).toTensor().sum().item<float>(); // expected-note {{what 'module_' computes here is never differentiated}} [tensor-missing-no-grad]
  }
  float process_guarded(Tensor input) {
    c10::InferenceMode guard;
    inputs_.clear();
    inputs_.push_back(input);
    return module_.forward(inputs_).toTensor().sum().item<float>();
  }

private:
  torch::jit::script::Module module_;
  std::vector<torch::jit::IValue> inputs_;
};

//===-- A guard in the thread that starts another ----------------------------===//

class Server {
public:
  explicit Server(const std::string &path) : module_(torch::jit::load(path)) {
    torch::NoGradGuard no_grad;
    worker_ = std::thread([this] { serve(); });
  }

private:
  void serve() {
    while (!stop_)
      last_ = module_.forward({next_image()}).toTensor().sum().item<float>(); // expected-note {{what 'module_' computes here is never differentiated}} [tensor-missing-no-grad]
  }
  torch::jit::script::Module module_;
  std::thread worker_;
  bool stop_ = false;
  float last_ = 0;
};

class GuardedServer {
public:
  explicit GuardedServer(const std::string &path) : module_(torch::jit::load(path)) {
    worker_ = std::thread([this] { serve(); });
  }

private:
  void serve() {
    torch::NoGradGuard no_grad;
    while (!stop_)
      last_ = module_.forward({next_image()}).toTensor().sum().item<float>();
  }
  torch::jit::script::Module module_;
  std::thread worker_;
  bool stop_ = false;
  float last_ = 0;
};

//===-- A module that is loaded later ----------------------------------------===//

class Engine {
public:
  void load(const std::string &path) {
    module_ = std::make_unique<torch::jit::script::Module>(torch::jit::load(path));
    module_->eval();
  }
  float run(Tensor image) {
    return module_->forward({image}).toTensor().sum().item<float>(); // expected-note {{what 'module_' computes here is never differentiated}} [tensor-missing-no-grad]
  }

private:
  std::unique_ptr<torch::jit::script::Module> module_;
};

//===-- Layer by layer -------------------------------------------------------===//

// One forward pass in each step: nothing grows.
float by_layers(std::vector<torch::nn::Linear> layers) {
  float sum = 0;
  for (int step = 0; step < 1000; ++step) {
    auto x = next_image();
    for (auto &layer : layers)
      x = torch::relu(layer->forward(x)); // expected-note {{what 'layers' computes here is never differentiated}} [tensor-missing-no-grad]
    sum += x.sum().item<float>();
  }
  return sum;
}

float by_layers_guarded(std::vector<torch::nn::Linear> layers) {
  torch::NoGradGuard no_grad;
  float sum = 0;
  for (int step = 0; step < 1000; ++step) {
    auto x = next_image();
    for (auto &layer : layers)
      x = torch::relu(layer->forward(x));
    sum += x.sum().item<float>();
  }
  return sum;
}

//===-- Sessions of a server: the network is named, not the server -----------===//

struct Session {
  torch::nn::Linear net{4, 4};
  float push(const Tensor &chunk) {
    return net(chunk).sum().item<float>(); // expected-note {{what 'net' computes here is never differentiated}} [tensor-missing-no-grad]
  }
  float push_guarded(const Tensor &chunk) {
    torch::NoGradGuard no_grad;
    return net(chunk).sum().item<float>();
  }
};

struct Sessions {
  std::map<int, Session> sessions;
  float handle(int id) {
    auto it = sessions.emplace(id, Session()).first;
    return it->second.push(next_image()) + it->second.push_guarded(next_image());
  }
};

float serve() {
  Sessions server;
  float sum = 0;
  for (int request = 0; request < 1000; ++request)
    sum += server.handle(request % 8);
  return sum;
}
