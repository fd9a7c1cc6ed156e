// What is moved into a parameter has no other name afterwards.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

static void show(const Tensor &x) { x.print(); }

static Tensor centred(Tensor x) {
  x = x - 3; // expected-warning {{'x' dies here; the in-place form '-=' needs none}} [tensor-out-of-place-op] expected-fix {{-=}}
  return x;
}

static Tensor scaled(Tensor x, double by) {
  x = x - 1; // expected-warning {{'x' dies here}} [tensor-out-of-place-op] expected-fix {{-=}}
  x.div_(by);
  return x;
}

//===-- Near misses -------------------------------------------------------===//

static Tensor of_copies(Tensor x) {
  x = x - 3;
  return x;
}

// The reference does not take it: the variable has it still.
static Tensor by_reference(const Tensor &x) { return x - 3; }

static Tensor of_two(Tensor x) {
  x = x - 3;
  return x;
}

int main() {
  torch::NoGradGuard guard;
  auto a = torch::rand({256, 1024, 1024}), b = torch::rand({256, 1024, 1024});
  show(centred(std::move(a)));
  show(scaled(std::move(b), 2));
  auto c = torch::rand({256, 1024, 1024});
  show(of_copies(c));
  show(by_reference(std::move(c)));
  show(c);
  auto d = torch::rand({256, 1024, 1024});
  auto same = d;
  show(of_two(std::move(d)));
  show(same);
}
