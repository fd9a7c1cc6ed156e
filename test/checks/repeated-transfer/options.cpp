// A copy that an object of options or a list of arguments has is read in this round only; and
// copies whose size the source says in another way than by a list of sizes.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <vector>

using torch::Tensor;
namespace F = torch::nn::functional;

Tensor next_batch();
void keep(const Tensor &t);
void keep_options(F::CrossEntropyFuncOptions options); // in another file

void in_options(torch::nn::Linear net, torch::Device device) {
  auto weight = torch::rand({50000}); // expected-path {{'weight' is made here, on the host}}
  for (int i = 0; i < 100; ++i) {
    auto options = F::CrossEntropyFuncOptions().weight(weight.to(device)); // expected-warning {{about 195.3 KiB per round}} [tensor-repeated-transfer]
    F::cross_entropy(net->forward(next_batch()), next_batch(), options).backward();
  }
}

void among_other_options(torch::nn::Linear net, torch::Device device) {
  auto weight = torch::rand({50000}); // expected-path {{is made here}}
  for (int i = 0; i < 100; ++i)
    F::cross_entropy(net->forward(next_batch()), next_batch(),
                     F::CrossEntropyFuncOptions().weight(weight.to(device)).ignore_index(3)) // expected-warning {{'weight'}} [tensor-repeated-transfer]
        .backward();
}

void set_afterwards(torch::nn::Linear net) {
  auto weight = torch::rand({50000}); // expected-path {{is made here}}
  for (int i = 0; i < 100; ++i) {
    F::CrossEntropyFuncOptions options;
    options.weight(weight.cuda()); // expected-warning {{'weight'}} [tensor-repeated-transfer]
    F::cross_entropy(net->forward(next_batch()), next_batch(), options).backward();
  }
}

void in_a_list_of_the_round(torch::nn::Linear net, torch::Device device) {
  auto weight = torch::rand({50000}); // expected-path {{is made here}}
  for (int i = 0; i < 100; ++i) {
    std::vector<Tensor> both;
    both.push_back(weight.to(device)); // expected-warning {{'weight'}} [tensor-repeated-transfer]
    both.push_back(next_batch());
    net->forward(torch::cat(both)).sum().backward();
  }
}

void counted(torch::nn::Linear net, torch::Device device) {
  auto positions = torch::arange(0, 100000); // expected-path {{is made here}}
  for (int i = 0; i < 100; ++i)
    net->forward(next_batch() + positions.to(device)).sum().backward(); // expected-warning {{about 781.2 KiB}} [tensor-repeated-transfer]
}

//===-- Near misses ----------------------------------------------------------===//

void options_that_are_kept(torch::nn::Linear net, torch::Device device) {
  auto weight = torch::rand({50000});
  for (int i = 0; i < 100; ++i) {
    net->forward(next_batch()).sum().backward();
    keep_options(F::CrossEntropyFuncOptions().weight(weight.to(device)));
  }
}

void kept_by_name(torch::nn::Linear net, torch::Device device) {
  std::vector<Tensor> kept;
  auto weight = torch::rand({50000});
  for (int i = 0; i < 100; ++i) {
    auto copy = weight.to(device);
    kept.push_back(copy);
    net->forward(next_batch()).sum().backward();
  }
}

void read_by_name(torch::nn::Linear net, torch::Device device) {
  auto weight = torch::rand({50000}); // expected-path {{is made here}}
  for (int i = 0; i < 100; ++i) {
    auto copy = weight.to(device); // expected-warning {{'weight'}} [tensor-repeated-transfer]
    std::vector<Tensor> both;
    both.push_back(copy);
    both.push_back(next_batch());
    net->forward(torch::cat(both)).sum().backward();
  }
}

void options_on_the_device(torch::nn::Linear net, torch::Device device) {
  auto weight = torch::rand({50000}).to(device);
  for (int i = 0; i < 100; ++i) {
    auto options = F::CrossEntropyFuncOptions().weight(weight);
    F::cross_entropy(net->forward(next_batch()), next_batch(), options).backward();
  }
}

void in_a_list_that_stays(torch::nn::Linear net, torch::Device device) {
  std::vector<Tensor> kept;
  auto weight = torch::rand({50000});
  for (int i = 0; i < 100; ++i) {
    kept.push_back(weight.to(device));
    net->forward(next_batch()).sum().backward();
  }
  keep(kept.back());
}

// 12, 4, 16 and 80 bytes.
void small(torch::nn::Linear net, torch::Device device) {
  auto mean = torch::tensor({0.485, 0.456, 0.406}), scale = torch::tensor(0.5);
  auto matrix = torch::tensor({{1.0, 2.0}, {3.0, 4.0}}), index = torch::arange(10);
  for (int i = 0; i < 100; ++i) {
    auto x = (next_batch() - mean.to(device)) * scale.to(device) + matrix.to(device);
    net->forward(x + index.to(device)).sum().backward();
  }
}

// Of a vector that the caller gives it may be as large as it likes.
void of_a_vector(torch::nn::Linear net, torch::Device device, const std::vector<float> &values) {
  auto weight = torch::tensor(values); // expected-path {{is made here}}
  for (int i = 0; i < 100; ++i)
    net->forward(next_batch() * weight.to(device)).sum().backward(); // expected-warning {{'weight'}} [tensor-repeated-transfer]
}
