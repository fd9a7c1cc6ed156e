// Members of an object that a function is given.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

/// As C has it: functions around a structure.
struct Stack {
  Tensor sum, frame;
};
void stack_init(Stack *s) {
  s->sum = torch::zeros({8192, 8192});
  s->frame = torch::ones({8192, 8192});
}
void stack_add(Stack *s) {
  s->sum = s->sum + s->frame; // expected-warning {{256 MiB while 'sum' dies here; the in-place form '+='}} [tensor-out-of-place-op] expected-fix {{+=}}
}
double stack_mean(const Stack *s) { return s->sum.mean().item<double>(); }

struct Blend {
  Tensor sum;
};
void blend_init(Blend &b) { b.sum = torch::zeros({8192, 8192}); }
void blend_add(Blend &b) {
  b.sum = b.sum * 0.9; // expected-warning {{256 MiB while 'sum' dies here; the in-place form '*='}} [tensor-out-of-place-op] expected-fix {{*=}}
}

/// A copy of the object has the tensor, too.
struct Copied {
  Tensor sum;
};
void copied_init(Copied &c) { c.sum = torch::zeros({8192, 8192}); }
void copied_add(Copied &c, std::vector<Copied> &all) {
  all.push_back(c);
  c.sum = c.sum * 0.9;
}
void copied_scale(Copied c) { c.sum = c.sum * 0.9; }

/// Nobody sees what becomes of it behind a pointer.
struct Shown {
  Tensor sum;
};
void show(Shown *s);
void shown_init(Shown &s) { s.sum = torch::zeros({8192, 8192}); }
void shown_add(Shown &s) { s.sum = s.sum * 0.9; }

/// Of a copy that the function is given by value the caller has the tensor.
struct Given {
  Tensor sum;
};
void given_init(Given &g) { g.sum = torch::zeros({8192, 8192}); }
Given scaled(Given g) {
  g.sum = g.sum * 0.9;
  return g;
}

int main() {
  torch::NoGradGuard guard;
  Stack stack;
  stack_init(&stack);
  Blend blend;
  blend_init(blend);
  Copied copied;
  copied_init(copied);
  std::vector<Copied> all;
  Shown shown;
  shown_init(shown);
  show(&shown);
  Given given;
  given_init(given);
  for (int i = 0; i < 100; ++i) {
    stack_add(&stack);
    blend_add(blend);
    copied_add(copied, all);
    copied_scale(copied);
    shown_add(shown);
    Given other = scaled(given);
  }
  return stack_mean(&stack) > 0;
}
