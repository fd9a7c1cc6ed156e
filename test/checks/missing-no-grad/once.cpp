// One missing guard is one finding: where the function that runs the network lacks it for all of
// its callers, it says so, and they do not.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

static Tensor infer(torch::nn::Linear &net, Tensor x) {
  return net->forward(x); // expected-warning {{what 'net' computes here is never differentiated}} [tensor-missing-no-grad]
}
static Tensor infer_twice(torch::nn::Linear &net, Tensor x) { return infer(net, infer(net, x)); }

float once(torch::nn::Linear &net, Tensor x) { return infer(net, x).sum().item<float>(); }
float in_a_loop(torch::nn::Linear &net, Tensor x) {
  float sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += infer(net, x).sum().item<float>();
  return sum;
}
float through_another(torch::nn::Linear &net, Tensor x) {
  return infer_twice(net, x).sum().item<float>();
}

//===-- Near misses: the caller alone knows -----------------------------------===//

// One of its callers differentiates what it gives.
static Tensor run(torch::nn::Linear &net, Tensor x) { return net->forward(x); }
void train(torch::nn::Linear &net, Tensor x, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
    run(net, x).sum().backward();
    optimizer.step();
  }
}
float evaluate(torch::nn::Linear &net, Tensor x) {
  float sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += run(net, x).sum().item<float>(); // expected-note {{is never differentiated}} [tensor-missing-no-grad]
  return sum;
}

// Its own network is another one.
static float judged;
static Tensor scored(torch::nn::Linear &net, torch::nn::Linear &judge, Tensor x) {
  judged = judge->forward(x).sum().item<float>(); // expected-note {{what 'judge' computes here}} [tensor-missing-no-grad]
  return net->forward(x);
}
void train_scored(torch::nn::Linear &net, torch::nn::Linear &judge, Tensor x) {
  scored(net, judge, x).sum().backward();
}
float evaluate_scored(torch::nn::Linear &net, torch::nn::Linear &judge, Tensor x) {
  return scored(net, judge, x).sum().item<float>(); // expected-note {{is never differentiated}} [tensor-missing-no-grad]
}
