// A pointer that is only ever followed is no other handle; one that goes elsewhere may be.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void keep(const Tensor *t);

double followed(int n) {
  torch::NoGradGuard g;
  auto x = torch::ones({8192, 8192});
  Tensor *p = &x;
  for (int i = 0; i < n; ++i)
    *p = *p * 0.9; // expected-warning {{while 'x' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
  return x.sum().item<double>();
}

double swapped(int n) {
  torch::NoGradGuard g;
  auto x = torch::ones({8192, 8192}), y = torch::ones({8192, 8192});
  Tensor *p = &x, *q = &y;
  for (int i = 0; i < n; ++i) {
    std::swap(*p, *q);
    *p = *p + 1; // what x has is not followed
  }
  return x.sum().item<double>();
}

double kept_by_somebody(int n) {
  torch::NoGradGuard g;
  auto x = torch::ones({8192, 8192});
  Tensor *p = &x;
  keep(p);
  for (int i = 0; i < n; ++i)
    *p = *p * 0.9;
  return x.sum().item<double>();
}

double numbers_of(int n) {
  torch::NoGradGuard g;
  auto x = torch::ones({8192, 8192});
  const float *first = x.data_ptr<float>();
  for (int i = 0; i < n; ++i)
    x = x * 0.9;
  return *first;
}

double read_later(int n) {
  torch::NoGradGuard g;
  auto x = torch::ones({8192, 8192});
  const auto *p = &x;
  double all = 0;
  for (int i = 0; i < n; ++i) {
    auto y = x * 0.9;
    all += (y.sum() - p->sum()).item<double>();
  }
  return all;
}
