// The last use is somewhere else than the end: in a loop, in a branch, in a callee; so is the
// allocation (row 29).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

torch::Device pick();
static double total(const Tensor &t) { return t.sum().item<double>(); }

static void work(int rounds) {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < rounds; ++i)
    total(torch::rand({6000, 6000}));
}
static void works_too(int rounds) { work(rounds + 1); }
static void small_work() { total(torch::rand({60, 60})); }

void operands_of_a_product(torch::Device device, int rounds) {
  auto left = torch::rand({5000, 5000}).to(device); // expected-warning {{95.4 MiB}} [tensor-undeleted-tensor]
  auto right = torch::rand({5000, 5000}).cuda(); // expected-warning {{95.4 MiB}} [tensor-undeleted-tensor]
  auto product = torch::matmul(left, right); // expected-path {{last use}}
  for (int i = 0; i < rounds; ++i) {
    auto noise = torch::rand({6000, 6000}); // expected-path {{more is allocated here}}
    total(product.sum() + noise.sum());
  }
}

// A batch of one is large already.
void of_a_batch(int batch, int rounds) {
  auto table = torch::rand({batch, 8192, 4096}); // expected-warning {{'table' keeps 134217728 * batch bytes}} [tensor-undeleted-tensor]
  total(table); // expected-path {{last use}}
  works_too(rounds); // expected-path {{more is allocated here}}
}

// A batch of one is small.
void of_a_small_batch(int batch, int rounds) {
  auto table = torch::rand({batch, 8192});
  total(table);
  works_too(rounds);
}

void read_by_a_loop(int rounds) {
  auto table = torch::rand({8192, 4096}).contiguous(); // expected-warning {{128 MiB}} [tensor-undeleted-tensor]
  for (int row = 0; row < 8192; ++row)
    total(table[row]); // expected-path {{last use}}
  works_too(rounds); // expected-path {{more is allocated here}}
}

void assigned_later(bool often) {
  Tensor table; // expected-warning {{'table' keeps 128 MiB}} [tensor-undeleted-tensor]
  table = torch::rand({8192, 4096});
  if (often)
    total(table);
  else
    total(table + 1); // expected-path {{last use}}
  work(10); // expected-path {{more is allocated here}}
}

void in_each_round() {
  for (int epoch = 0; epoch < 9; ++epoch) {
    auto table = torch::rand({8192, 4096}); // expected-warning {{128 MiB}} [tensor-undeleted-tensor]
    total(table); // expected-path {{last use}}
    work(10); // expected-path {{more is allocated here}}
  }
}

//===-- Near misses ----------------------------------------------------------===//

void keep(const Tensor &t);

// What is not in view may keep a handle.
void perhaps_kept() {
  auto table = torch::rand({8192, 4096});
  keep(table);
  work(10);
}

// The last use is a part of what allocates.
void in_one_expression() {
  auto table = torch::rand({8192, 4096});
  auto result = table.sum() + torch::rand({8192, 4096});
  total(result);
}

void read_afterwards() {
  auto table = torch::rand({8192, 4096});
  work(10);
  total(table);
}

void read_in_the_next_round(int rounds) {
  auto table = torch::rand({8192, 4096});
  for (int i = 0; i < rounds; ++i) {
    total(table);
    work(10);
  }
}

void little_is_allocated() {
  auto table = torch::rand({8192, 4096});
  total(table);
  small_work();
}

void let_go_of() {
  auto table = torch::rand({8192, 4096});
  total(table);
  table = Tensor();
  work(10);
}

void swapped_away() {
  auto table = torch::rand({8192, 4096});
  total(table);
  {
    Tensor gone;
    std::swap(gone, table);
  }
  work(10);
}

void an_operand_of_what_is_allocated() {
  auto table = torch::rand({8192, 4096});
  total(table.matmul(torch::rand({4096, 8192})));
}

// The graph of the result keeps it anyway.
void needed_by_a_graph(torch::nn::Linear layer) {
  auto table = torch::rand({8192, 4096});
  auto result = layer->forward(table);
  work(10);
  result.sum().backward();
}

void kept_by_a_list(std::vector<Tensor> &list) {
  auto table = torch::rand({8192, 4096});
  list.push_back(table);
  work(10);
}

void captured() {
  auto table = torch::rand({8192, 4096});
  auto later = [&table] { total(table); };
  later();
  work(10);
  later();
}

// By a second name; and by a lambda that has another variable.
void captured_by_reference() {
  auto table = torch::rand({8192, 4096});
  auto &same = table;
  auto later = [&same] { total(same); };
  later();
  work(10);
  later();
}

void beside_a_captured_one() {
  auto table = torch::rand({8192, 4096}); // expected-warning {{'table' keeps 128 MiB}} [tensor-undeleted-tensor]
  auto other = torch::rand({8, 8});
  auto &same = other;
  auto later = [&same] { total(same); };
  total(table); // expected-path {{last use}}
  later();
  work(10); // expected-path {{more is allocated here}}
  later();
}

struct Held {
  Tensor value;
};

void swapped_out_of_an_object() {
  Held table{torch::rand({8192, 4096})};
  total(table.value);
  {
    Held gone{Tensor()};
    std::swap(gone.value, table.value);
  }
  work(10);
}

void swapped_in_an_object_beside_it() {
  auto table = torch::rand({8192, 4096}); // expected-warning {{'table' keeps 128 MiB}} [tensor-undeleted-tensor]
  Held one{torch::rand({8, 8})}, two{torch::rand({8, 8})};
  total(table); // expected-path {{last use}}
  std::swap(one.value, two.value);
  work(10); // expected-path {{more is allocated here}}
}

Tensor returned() {
  auto table = torch::rand({8192, 4096});
  total(table);
  work(10);
  return table;
}
