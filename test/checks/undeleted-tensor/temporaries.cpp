// Objects whose only pointer is dropped: handed to what only reads them, or released from their
// owner.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

using torch::Tensor;

void *filled(float value) { return new Tensor(torch::full({512, 512}, value)); }
void *product(void *a, void *b) {
  return new Tensor(*static_cast<Tensor *>(a) * *static_cast<Tensor *>(b)); // expected-path {{it is allocated here}}
}
float mean(void *a) { return static_cast<Tensor *>(a)->mean().item<float>(); }
void destroy(void *a) { delete static_cast<Tensor *>(a); }

float nested(void *a, void *b, void *c) {
  void *all = product(product(a, b), c); // expected-warning {{the object, with its tensors, that this call returns is dropped}} [tensor-undeleted-tensor]
  float value = mean(all);
  destroy(all);
  return value;
}
float one_by_one(void *a, void *b, void *c) {
  void *part = product(a, b);
  void *all = product(part, c);
  float value = mean(all);
  destroy(part);
  destroy(all);
  return value;
}

class Model {
public:
  Tensor predict(Tensor x) { return net_->forward(x); }
  int version() const { return 1; }

private:
  torch::nn::Linear net_{nullptr};
};
struct Figures {
  int count = 0;
};

class Slot {
public:
  void swap_in(std::unique_ptr<Model> fresh) {
    live_.release(); // expected-warning {{the object, with its tensors, that this call returns is dropped}} [tensor-undeleted-tensor]
    live_ = std::move(fresh);
  }
  void swap_in_and_delete(std::unique_ptr<Model> fresh) {
    delete live_.release();
    live_ = std::move(fresh);
  }
  void reset(std::unique_ptr<Model> fresh) {
    live_.reset();
    live_ = std::move(fresh);
  }
  void count(std::unique_ptr<Figures> fresh) {
    figures_.release(); // no tensors in it: other tools' business
    figures_ = std::move(fresh);
  }

private:
  std::unique_ptr<Model> live_;
  std::unique_ptr<Figures> figures_;
};
