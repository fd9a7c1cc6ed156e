// Tensor memory that has no owner any more (rows 22 and 23).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <cstdlib>

using torch::Tensor;

void raw_new() {
  auto *scratch = new Tensor(torch::zeros({256, 256})); // expected-warning {{scratch}} [tensor-undeleted-tensor]
  scratch->add_(1);
}

float early_return(bool quick) {
  auto *scratch = new Tensor(torch::zeros({256, 256})); // expected-warning {{scratch}} [tensor-undeleted-tensor]
  if (quick)
    return 0; // expected-path {{this way out leaves it behind}}
  float sum = scratch->sum().item<float>();
  delete scratch;
  return sum;
}

void overwritten() {
  Tensor *current = nullptr;
  for (int i = 0; i < 100; ++i)
    current = new Tensor(torch::rand({256, 256})); // expected-warning {{current}} [tensor-undeleted-tensor]
  delete current;
}

void raw_optimizer(torch::nn::Linear model) {
  auto *optimizer = new torch::optim::Adam(model->parameters(), 1e-3); // expected-warning {{with its state (2 times the size of its parameters once it has stepped), that 'optimizer'}} [tensor-undeleted-tensor]
  optimizer->zero_grad();
}

// Plain SGD keeps nothing of its own.
void raw_optimizer_without_state(torch::nn::Linear model) {
  auto *optimizer = new torch::optim::SGD(model->parameters(), 1e-3); // expected-warning {{with its state, that 'optimizer'}} [tensor-undeleted-tensor]
  optimizer->zero_grad();
}

void released() {
  auto t = torch::rand({256, 256});
  t.unsafeReleaseTensorImpl(); // expected-warning [tensor-undeleted-tensor]
}

Tensor blob_without_deleter() {
  auto *data = static_cast<float *>(std::malloc(256 * 256 * sizeof(float))); // expected-path {{the memory is allocated here}}
  return torch::from_blob(data, {256, 256}, torch::kFloat); // expected-warning {{data}} [tensor-undeleted-tensor]
}

Tensor new_blob_without_deleter() {
  float *data = new float[256 * 256]; // expected-path {{the memory is allocated here}}
  auto t = torch::from_blob(data, {256, 256}); // expected-warning {{data}} [tensor-undeleted-tensor]
  return t;
}

//===-- Modules that own each other -----------------------------------------===//

struct Child;
struct Parent : torch::nn::Module {
  std::shared_ptr<Child> child;
  std::weak_ptr<Parent> weak;
};
struct Child : torch::nn::Module {
  std::shared_ptr<Parent> parent;
  std::weak_ptr<Parent> weak_parent;
  torch::nn::Linear fc{8, 8};
};

void own_each_other() {
  auto p = std::make_shared<Parent>();
  auto c = std::make_shared<Child>();
  p->child = c;
  c->parent = p; // expected-warning {{the modules own each other through 'parent'}} [tensor-undeleted-tensor]
}

void own_themselves() {
  auto p = std::make_shared<Parent>();
  p->child = std::make_shared<Child>();
  p->child->parent = p; // expected-warning {{'parent'}} [tensor-undeleted-tensor]
}
