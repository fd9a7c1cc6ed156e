// Tensors that functions of the file make.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

torch::Tensor filters(double rate) {
  auto all = torch::zeros({80, 513});
  all.add_(rate);
  return all.t().contiguous();
}
torch::Tensor filtersThere(torch::Device device) { return torch::zeros({80, 513}, device); }
torch::Tensor filtersOf(const torch::Tensor &given) { return given.t().contiguous(); }
torch::Tensor filtersOfEither(bool isThere, torch::Device device) {
  if (isThere)
    return torch::zeros({80, 513}, device);
  return torch::zeros({80, 513});
}
torch::Tensor moreFilters(double rate) { return torch::cat({filters(rate), filters(2 * rate)}); }
torch::Tensor filtersAgain(int n) { return n == 0 ? torch::zeros({80, 513}) : filtersAgain(n - 1); }
torch::Tensor unseen();

void made_on_the_host(torch::Device device) {
  const auto all = filters(16000.0); // expected-path {{'all' is made here, on the host}}
  for (int i = 0; i < 1000; ++i)
    torch::matmul(torch::rand({10, 513}), all.to(device)).sum().item<float>(); // expected-note {{'all' is the same in every round of this loop and is copied to the device each time}} [tensor-repeated-transfer]
}

void made_by_two_functions(torch::Device device) {
  const auto all = moreFilters(16000.0); // expected-path {{'all' is made here, on the host}}
  for (int i = 0; i < 1000; ++i)
    torch::matmul(torch::rand({10, 1026}), all.to(device)).sum().item<float>(); // expected-note {{'all' is the same in every round}} [tensor-repeated-transfer]
}

void made_elsewhere(torch::Device device, const torch::Tensor &given) {
  const auto there = filtersThere(device);
  const auto of = filtersOf(given);
  const auto either = filtersOfEither(given.defined(), device);
  const auto again = filtersAgain(9);
  const auto other = unseen();
  for (int i = 0; i < 1000; ++i) {
    torch::matmul(torch::rand({10, 513}), there.to(device)).sum().item<float>();
    torch::matmul(torch::rand({10, 513}), of.to(device)).sum().item<float>();
    torch::matmul(torch::rand({10, 513}), either.to(device)).sum().item<float>();
    torch::matmul(torch::rand({10, 513}), again.to(device)).sum().item<float>();
    torch::matmul(torch::rand({10, 513}), other.to(device)).sum().item<float>();
  }
}
