// Networks run for callers nobody sees, who give plain data and get plain data: there is no graph
// that goes on from theirs, and none that they get.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

struct Image {
  int rows, cols;
  unsigned char *data;
};
struct Box {
  float left, top, width, height;
};

// In other files.
Tensor resized(const Image &image);
std::vector<Box> decode(const Tensor &scores, float threshold);
void decode_into(const Tensor &scores, const Image &image, std::vector<Box> &boxes);
float learn(const Tensor &scores, const Tensor &wanted);
void improve(const Tensor &scores);
void prepare(Tensor &image);

class Detector {
public:
  std::vector<Box> detect(const Image &image) {
    auto scores = net_->forward(resized(image)); // expected-note {{what 'net_' computes here is handed on with its graph}} [tensor-missing-no-grad]
    return decode(scores, 0.5);
  }
  bool detect_into(const Image &image, std::vector<Box> &boxes) {
    if (!image.data)
      return false;
    auto scores = net_->forward(resized(image)); // expected-note {{is handed on with its graph}} [tensor-missing-no-grad]
    decode_into(scores, image, boxes);
    return true;
  }

  //===-- Near misses -----------------------------------------------------===//

  // What is compared is differentiated, as a rule.
  float compare(const Image &image, const Image &wanted) {
    return learn(net_->forward(resized(image)), resized(wanted));
  }
  // It is given nothing that it could fill in, and says nothing.
  void learn_alone(const Image &image) { improve(net_->forward(resized(image))); }
  // The caller has a tensor, which may have a graph.
  std::vector<Box> detect_in(Tensor image) { return decode(net_->forward(image), 0.5); }
  std::vector<Box> guarded(const Image &image) {
    torch::NoGradGuard no_grad;
    return decode(net_->forward(resized(image)), 0.5);
  }
  // The caller gets it.
  Tensor scores(const Image &image) { return net_->forward(resized(image)); }

private:
  torch::nn::Linear net_{64, 64};
};

// Put in evaluation mode where it is made.
class Evaluated {
public:
  Evaluated() { net_->eval(); }
  void show(Tensor image) {
    improve(net_->forward(image)); // expected-note {{is handed on with its graph}} [tensor-missing-no-grad]
  }

private:
  torch::nn::Linear net_{64, 64};
};

// And back, each time.
class EvaluatedAtTimes {
public:
  EvaluatedAtTimes() { net_->eval(); }
  void start() { net_->train(); }
  void show(Tensor image) { improve(net_->forward(image)); }

private:
  torch::nn::Linear net_{64, 64};
};

//===-- Loaded modules -------------------------------------------------------===//

// As a robot has them: what is observed and what is done are members, and others read those.
class Device {
public:
  void elsewhere();
  Tensor observed, wanted, done;
};
class Robot : public Device {
public:
  Robot() { policy_ = torch::jit::load("policy.pt"); }
  void step() { wanted = act() * 0.25; }

private:
  Tensor act() {
    Tensor action = policy_.forward({observed}).toTensor(); // expected-note {{what 'policy_' computes here is handed on with its graph}} [tensor-missing-no-grad]
    done = action;
    return torch::clamp(action, -1, 1);
  }
  torch::jit::Module policy_;
};

std::vector<Tensor> run(torch::jit::Module &module, Tensor image) {
  std::vector<torch::jit::IValue> inputs{image};
  auto parts = module.forward(inputs).toTuple(); // expected-note {{what 'module' computes here is handed on with its graph}} [tensor-missing-no-grad]
  std::vector<Tensor> found;
  for (int i = 0; i < 3; ++i)
    found.push_back(parts->elements()[i].toTensor());
  return found;
}
std::vector<Tensor> run_on_image(torch::jit::Module &module, const Image &image) {
  return run(module, resized(image));
}

// Near misses: somebody else's module and tensor; a part of the graph comes with the caller's.
Tensor of_the_caller(torch::jit::Module &module, Tensor x) {
  return module.forward({x}).toTensor();
}
Tensor run_twice(torch::jit::Module &module, Tensor x) { return of_the_caller(module, x); }
