// The tensor that is copied stands in something: an optional, a record, a map.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <optional>
#include <string>

using torch::Tensor;

Tensor next_batch();
struct Constants {
  Tensor mask, scale; // expected-path {{'mask' is made here, on the host}}
};

void of_an_optional(torch::nn::Linear net, torch::Device device) {
  std::optional<Tensor> mask = torch::ones({1024, 1024}); // expected-path {{'mask' is made here, on the host}}
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask->to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
}

void of_an_optional_that_is_filled_anew(torch::nn::Linear net, torch::Device device) {
  std::optional<Tensor> mask = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    (net->forward(next_batch()) * mask->to(device)).sum().backward();
    mask.emplace(next_batch());
  }
}

void of_a_record(torch::nn::Linear net, torch::Device device) {
  Constants constants{torch::ones({1024, 1024}), torch::ones({1}).to(device)};
  for (int i = 0; i < 100; ++i) {
    auto scale = constants.scale.to(device);
    (net->forward(next_batch()) * constants.mask.to(device) * scale).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
  }
}

void of_a_map(torch::nn::Linear net, torch::Device device) {
  std::map<std::string, Tensor> constants; // expected-path {{'constants' is made here, on the host}}
  constants["mask"] = torch::ones({1024, 1024});
  constants["scale"] = torch::ones({1}).to(device);
  for (int i = 0; i < 100; ++i) {
    auto scale = constants["scale"].to(device);
    (net->forward(next_batch()) * constants["mask"].to(device) * scale).sum().backward(); // expected-warning {{'constants'}} [tensor-repeated-transfer]
  }
}

void of_a_map_that_is_filled_once(torch::nn::Linear net, torch::Device device) {
  std::map<int, Tensor> masks, scales; // expected-path {{'masks' is made here, on the host}}
  masks.emplace(0, torch::ones({1024, 1024}));
  scales.emplace(0, torch::ones({4})); // too small to matter
  for (int i = 0; i < 100; ++i) {
    auto scale = scales.at(0).to(device);
    (net->forward(next_batch()) * masks.at(0).to(device) * scale).sum().backward(); // expected-warning {{'masks'}} [tensor-repeated-transfer]
  }
}

// What is read in between is no less known.
void of_maps_that_are_read(torch::nn::Linear net, torch::Device device) {
  std::map<int, Tensor> masks, scales; // expected-path {{'masks' is made here, on the host}}
  masks.emplace(0, torch::ones({1024, 1024}));
  for (const auto &entry : masks)
    (void)entry.second.numel();
  scales.emplace(0, torch::ones({4})); // too small to matter
  for (int i = 0; i < 100; ++i) {
    auto scale = scales.at(0).to(device);
    (net->forward(next_batch()) * masks.at(0).to(device) * scale).sum().backward(); // expected-warning {{'masks'}} [tensor-repeated-transfer]
  }
}
