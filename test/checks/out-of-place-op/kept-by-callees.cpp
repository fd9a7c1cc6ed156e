// A function that is handed a tensor by reference may keep it, and then the variable is no last
// handle. Beside each stands one that only reads: there the variable still is.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <vector>

using torch::Tensor;

void show(const Tensor &t);

struct Cache {
  void keep(const Tensor &t) { kept = t; }
  void keep_part(const Tensor &t) { kept = t.narrow(0, 0, 8); }
  double measure(const Tensor &t) const { return t.sum().item<double>(); }

  Tensor kept;
};

static void keep_in(Cache &cache, const Tensor &t) { cache.kept = t; }
static void hand_on(Cache &cache, const Tensor &t) { keep_in(cache, t); }
static double measure_in(const Cache &cache, const Tensor &t) { return cache.measure(t); }

void by_a_method(Cache &cache) {
  auto x = torch::rand({8192, 8192});
  cache.keep(x);
  auto y = x + 1;
  show(y);
}

void in_part(Cache &cache) {
  auto x = torch::rand({8192, 8192});
  cache.keep_part(x);
  x = x + 1;
  show(x);
}

void by_a_function(Cache &cache) {
  auto x = torch::rand({8192, 8192});
  keep_in(cache, x);
  x = x + 1;
  show(x);
}

void by_one_that_is_called(Cache &cache) {
  auto x = torch::rand({8192, 8192});
  hand_on(cache, x);
  x = x + 1;
  show(x);
}

void by_an_object_of_its_own() {
  Cache cache;
  auto x = torch::rand({8192, 8192});
  cache.keep(x);
  auto y = x + 1;
  show(y);
  show(cache.kept);
}

void measured_by_a_method(Cache &cache) {
  auto x = torch::rand({8192, 8192});
  double sum = cache.measure(x);
  auto y = x + sum; // expected-warning {{256 MiB while 'x' dies here}} [tensor-out-of-place-op]
  show(y);
}

void measured_by_a_function(Cache &cache) {
  auto x = torch::rand({8192, 8192});
  double sum = measure_in(cache, x);
  x = x + sum; // expected-warning {{256 MiB while 'x' dies here}} [tensor-out-of-place-op] expected-fix {{+=}}
  show(x);
}

//===-- Accessors -----------------------------------------------------------===//

void read_by_an_accessor() {
  auto x = torch::rand({8192, 8192});
  auto cells = x.accessor<float, 2>();
  auto y = x + 1;
  show(y);
  if (cells[0][0] > 0)
    show(y);
}

void read_by_an_accessor_at_once() {
  auto x = torch::rand({8192, 8192});
  float first = x.accessor<float, 2>()[0][0];
  auto y = x + first; // expected-warning {{256 MiB while 'x' dies here}} [tensor-out-of-place-op]
  show(y);
}
