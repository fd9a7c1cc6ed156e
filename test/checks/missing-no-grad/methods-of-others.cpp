// Methods that only other files call: whether these hold a guard is not in view.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct SamplerImpl : torch::nn::Module {
  Tensor denoise(Tensor x);
  Tensor sample(Tensor x, int rounds);
  torch::nn::Linear model{nullptr};
};

Tensor SamplerImpl::denoise(Tensor x) {
  model->eval(); // expected-path {{'eval()' does not turn grad mode off}}
  Tensor noise = model->forward(x); // expected-note {{what 'model' computes here is never differentiated}} [tensor-missing-no-grad]
  return x - noise.argmax(1);
}
Tensor SamplerImpl::sample(Tensor x, int rounds) {
  for (int i = 0; i < rounds; ++i)
    x = denoise(x);
  return x;
}

// The same, called by the program itself.
struct ServedImpl : torch::nn::Module {
  Tensor denoise(Tensor x);
  Tensor sample(Tensor x, int rounds);
  torch::nn::Linear model{nullptr};
};

Tensor ServedImpl::denoise(Tensor x) {
  model->eval(); // expected-path {{'eval()' does not turn grad mode off}}
  Tensor noise = model->forward(x); // expected-warning {{what 'model' computes here is never differentiated}} [tensor-missing-no-grad]
  return x - noise.argmax(1);
}
Tensor ServedImpl::sample(Tensor x, int rounds) {
  for (int i = 0; i < rounds; ++i)
    x = denoise(x);
  return x;
}
float serve(ServedImpl &served, Tensor x) { return served.sample(x, 10).sum().item<float>(); }
