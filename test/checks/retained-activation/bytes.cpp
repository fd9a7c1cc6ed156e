// How much is kept: in bytes where the source fixes all sizes, as a formula where
// some are known at run time only, and nothing where a size is not known.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor load_batch(int step);

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl() {
    fc1 = register_module("fc1", torch::nn::Linear(784, 256));
    fc2 = register_module("fc2", torch::nn::Linear(torch::nn::LinearOptions(256, 10).bias(false)));
  }
  Tensor forward(Tensor x) {
    x = torch::relu(fc1->forward(x.view({x.size(0), 784}))); // expected-path {{the graph starts here}}
    activations.push_back(x); // expected-warning {{at least 1024 * x.size(0) bytes per step}} [tensor-retained-activation] expected-fix {{.detach()}}
    return fc2->forward(x);
  }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  std::vector<Tensor> activations; // expected-path {{'activations' is declared here and outlives the step}}
};
TORCH_MODULE(Classifier);

struct ImagesImpl : torch::nn::Module {
  Tensor forward(Tensor x) {
    auto y = pool->forward(torch::relu(conv->forward(x)));
    return head->forward(y.flatten(1));
  }
  torch::nn::Conv2d conv{
      register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 16, 3).padding(1)))};
  torch::nn::AdaptiveAvgPool2d pool{torch::nn::AdaptiveAvgPool2dOptions({2, 2})};
  torch::nn::Sequential head =
      torch::nn::Sequential(torch::nn::Linear(64, 100), torch::nn::LogSoftmax(1));
};
TORCH_MODULE(Images);

// All sizes are in the source: 32 rows of 10 floats.
void numbers(Classifier net) {
  static std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    outs.push_back(net->forward(torch::rand({32, 1, 28, 28}))); // expected-warning {{at least 1.2 KiB per step}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

// The batch has a name and no size.
void formula(Classifier net) {
  static std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto data = load_batch(i);
    outs.push_back(net->forward(data)); // expected-warning {{at least 40 * data.size(0) bytes per step}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  }
}

void through_convolutions(Images net, Tensor data) {
  static std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    outs.push_back(net(data)); // expected-warning {{at least 400 * data.size(0) bytes per step}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

void parameters_of_the_function(int64_t batch, int64_t width) {
  torch::nn::Linear net(torch::nn::LinearOptions(64, width));
  static std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto y = net->forward(torch::rand({batch, 64})); // expected-path {{the graph starts here}}
    outs.push_back(y); // expected-warning {{at least 4 * batch * width bytes per step}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}

void recurrent(int64_t batch) {
  torch::nn::GRU gru(torch::nn::GRUOptions(32, 128).batch_first(true));
  static std::vector<Tensor> states; // expected-path {{'states' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto result = gru->forward(torch::rand({batch, 10, 32})); // expected-path {{the graph starts here}}
    states.push_back(std::get<1>(result)); // expected-warning {{at least 512 * batch bytes per step}} [tensor-retained-activation]
  }
}

// A view keeps all of what it shows a part of.
void pinned() {
  torch::NoGradGuard no_grad;
  static std::vector<Tensor> rows; // expected-path {{'rows' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto big = torch::randn({128, 64});
    rows.push_back(big[0]); // expected-warning {{pins all of 'big': about 32 KiB per step}} [tensor-retained-activation]
  }
}

//===-- No size is better than a wrong one ---------------------------------===//

// Nothing is known of what comes in.
void no_name(torch::nn::Linear net) {
  static std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    outs.push_back(net->forward(load_batch(i))); // expected-warning {{alive with it; store}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

// One number says nothing of the graph behind it.
void one_number(Classifier net, Tensor data) {
  static std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    losses.push_back(net->forward(data).sum()); // expected-warning {{alive with it; store}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

// Which of the two it is depends on the run.
void one_of_two(bool wide, int64_t batch) {
  torch::nn::Linear net{nullptr};
  if (wide)
    net = torch::nn::Linear(64, 128);
  else
    net = torch::nn::Linear(64, 32);
  static std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    outs.push_back(net->forward(torch::rand({batch, 64}))); // expected-warning {{alive with it; store}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

// The sum of what came before is not kept by the next one: only what is added is.
void summed(Classifier net, Tensor data) {
  Tensor total = torch::zeros({64, 10}); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    total = total + net->forward(data); // expected-warning {{alive with it; use}} [tensor-retained-activation] expected-path {{the graph starts here}}
}
