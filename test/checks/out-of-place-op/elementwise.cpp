// An elementwise op makes a second large tensor while its input dies at once
// (row 28). Grad is provably off in all of these: in-place is safe.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

// 4096 x 4096 floats are 64 MiB.
void same_variable() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096});
  x = x + 1; // expected-warning {{64 MiB}} [tensor-out-of-place-op] expected-fix {{+=}}
  x.sum().item<float>();
}

void method() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4096, 4096});
  x = x.mul(0.5); // expected-warning {{64 MiB}} [tensor-out-of-place-op]
  x = torch::relu(x); // expected-warning {{64 MiB}} [tensor-out-of-place-op]
  x.sum().item<float>();
}

// Another name for the result, the input never read again.
float fresh_name() {
  torch::NoGradGuard no_grad;
  auto image = torch::randn({3, 4096, 4096});
  auto scaled = image / 255.0; // expected-warning {{192 MiB}} [tensor-out-of-place-op]
  return scaled.mean().item<float>();
}

void doubles_in_a_loop() {
  torch::NoGradGuard no_grad;
  auto state = torch::zeros({2048, 4096}, torch::kFloat64);
  auto noise = torch::randn({2048, 4096}, torch::kFloat64);
  for (int step = 0; step < 100; ++step)
    state = state + noise; // expected-warning {{64 MiB}} [tensor-out-of-place-op] expected-fix {{+=}}
  state.sum().item<double>();
}

// The product is a temporary that add_() only reads: addmm_ needs no such temporary.
void matmul_as_argument() {
  torch::NoGradGuard no_grad;
  auto a = torch::randn({4096, 4096}), b = torch::randn({4096, 4096});
  auto c = torch::zeros({4096, 4096});
  for (int step = 0; step < 100; ++step)
    c.add_(torch::matmul(a, b)); // expected-warning {{addmm_}} [tensor-out-of-place-op]
  c.sum().item<float>();
}

// Likewise for an elementwise product: addcmul_.
void product_as_argument() {
  torch::NoGradGuard no_grad;
  auto a = torch::randn({4096, 4096}), b = torch::randn({4096, 4096});
  auto c = torch::zeros({4096, 4096});
  for (int step = 0; step < 100; ++step)
    c.add_(a * b); // expected-warning {{addcmul_}} [tensor-out-of-place-op]
  c.sum().item<float>();
}

void scaled_as_argument() {
  torch::NoGradGuard no_grad;
  auto velocity = torch::zeros({4096, 4096}), gradient = torch::randn({4096, 4096});
  for (int step = 0; step < 100; ++step)
    velocity.sub_(gradient * 0.01); // expected-warning {{64 MiB}} [tensor-out-of-place-op]
  velocity.sum().item<float>();
}

// Assigned to the temporary that data() gives: computed beside it and copied back.
void averaged_gradients(torch::nn::Linear net, float ranks) {
  for (auto &p : net->parameters())
    p.grad().data() = p.grad().data() / ranks; // expected-note {{copies it back; the in-place form '/='}} [tensor-out-of-place-op]
}

// How large it is depends on the run, but a batch of one is large already.
Tensor symbolic(int64_t batch) {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({batch, 4096, 4096});
  return x * 2; // expected-warning {{of 67108864 * batch bytes}} [tensor-out-of-place-op]
}

// A batch of one is small: worth a look where it happens again and again.
Tensor symbolic_and_small(int64_t batch) {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({batch, 4096});
  for (int i = 0; i < 10; ++i)
    x = x * 2; // expected-note {{of 16384 * batch bytes}} [tensor-out-of-place-op] expected-fix {{*=}}
  return x * 3;
}
