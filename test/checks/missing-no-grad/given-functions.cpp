// What a function returns that is given one of several functions.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <functional>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void show(float value);

using Field = std::function<Tensor(const Tensor &)>;
static Tensor run(const Field &field, Tensor x) { return field(x); }

void differentiated(torch::nn::Linear net, Tensor matrix) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Field fixed = [&](const Tensor &x) { return x.mm(matrix); };
  Field learned = [&](const Tensor &x) { return net->forward(x); };
  for (int i = 0; i < 100; ++i) {
    Tensor target;
    {
      torch::NoGradGuard no_grad;
      target = run(fixed, next_batch());
    }
    Tensor loss = (run(learned, next_batch()) - target).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

void only_shown(torch::nn::Linear net, Tensor matrix) {
  Field fixed = [&](const Tensor &x) { return x.mm(matrix); };
  Field learned = [&](const Tensor &x) { return net->forward(x); };
  for (int i = 0; i < 100; ++i) {
    Tensor target = run(fixed, next_batch());
    show((run(learned, next_batch()) - target).mean().item<float>()); // expected-note {{is never differentiated, yet grad mode is on}} [tensor-missing-no-grad]
  }
}
