// What a virtual method runs on the object that a pointer or a reference names.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

Tensor next_batch();
void show(float value);

struct Candidate : torch::nn::Module {
  virtual ~Candidate() {}
  virtual Tensor run(Tensor x) = 0;
};
struct Deep : Candidate {
  torch::nn::Linear layer{nullptr};
  explicit Deep(int width) { layer = register_module("layer", torch::nn::Linear(width, width)); }
  Tensor run(Tensor x) override { return layer->forward(x); }
};
struct Wide : Candidate {
  torch::nn::Linear layer{nullptr};
  explicit Wide(int width) { layer = register_module("layer", torch::nn::Linear(width, width)); }
  Tensor run(Tensor x) override { return layer->forward(x).relu(); }
};

Candidate *propose(int i) {
  if (i % 2)
    return new Deep(64); // expected-path {{it is allocated here}}
  return new Wide(64);
}
float score(Candidate &candidate) { return candidate.run(next_batch()).sum().item<float>(); }

void searched() {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    Candidate *candidate = propose(i); // expected-warning {{that 'candidate' points to is overwritten before it is deleted}} [tensor-undeleted-tensor]
    show(score(*candidate));
  }
}
void searched_and_deleted() {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    Candidate *candidate = propose(i);
    show(score(*candidate));
    delete candidate;
  }
}

// One of those that override it keeps the object: it may be that one that runs.
struct Listed : torch::nn::Module {
  virtual ~Listed() {}
  virtual void enter() = 0;
};
std::vector<Listed *> all;
struct Kept : Listed {
  torch::nn::Linear layer{64, 64};
  void enter() override { all.push_back(this); }
};
struct Passing : Listed {
  torch::nn::Linear layer{64, 64};
  void enter() override { layer->eval(); }
};
void listed(int n) {
  for (int i = 0; i < n; ++i) {
    Listed *each = nullptr;
    if (i % 2)
      each = new Kept;
    else
      each = new Passing;
    each->enter();
  }
}
