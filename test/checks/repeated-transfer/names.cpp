// A host tensor that is written by another name for it, or in an optional, differs in each round.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <cstring>
#include <optional>
#include <torch/torch.h>

void staged_by_another_name(torch::nn::Linear net, torch::Device device, const float *frames) {
  auto staged = torch::zeros({1024, 1024});
  auto &name = staged;
  for (int i = 0; i < 100; ++i) {
    std::memcpy(name.data_ptr<float>(), frames + i, staged.numel() * sizeof(float));
    net->forward(staged.to(device)).sum().backward();
  }
}

void staged_in_a_box(torch::nn::Linear net, torch::Device device, const float *frames) {
  std::optional<torch::Tensor> staged = torch::zeros({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    std::memcpy((*staged).data_ptr<float>(), frames + i, 4096);
    net->forward((*staged).to(device)).sum().backward();
  }
}

static void fill(torch::Tensor &to, const float *from) {
  std::memcpy(to.data_ptr<float>(), from, 4096);
}

void staged_by_a_callee(torch::nn::Linear net, torch::Device device, const float *frames) {
  auto staged = torch::zeros({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    fill(staged, frames + i);
    net->forward(staged.to(device)).sum().backward();
  }
}

void another_by_a_callee(torch::nn::Linear net, torch::Device device, const float *frames) {
  auto staged = torch::zeros({1024, 1024});
  auto mask = torch::ones({1024, 1024}); // expected-path {{is made here, on the host}}
  for (int i = 0; i < 100; ++i) {
    fill(staged, frames + i);
    (net->forward(staged.to(device)) * mask.to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
  }
}

struct Weights {
  torch::Tensor scale, mask; // expected-path {{is made here, on the host}}
};

void trained_in_a_record(torch::Device device, torch::Tensor x) {
  Weights weights{torch::rand({1024, 1024}), torch::ones({1024, 1024})};
  torch::optim::SGD optimizer(std::vector<torch::Tensor>{weights.scale}, 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    (x * weights.scale.to(device) * weights.mask.to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
    optimizer.step();
  }
}

void another_is_staged(torch::nn::Linear net, torch::Device device, const float *frames) {
  auto mask = torch::ones({1024, 1024}); // expected-path {{is made here, on the host}}
  auto staged = torch::zeros({1024, 1024});
  auto &name = staged;
  for (int i = 0; i < 100; ++i) {
    std::memcpy(name.data_ptr<float>(), frames + i, 4096);
    (net->forward(staged.to(device)) * mask.to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
  }
}
