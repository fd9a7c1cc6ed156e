// The input is the last handle of its memory: whatever it was made by, whoever hands it over,
// and whatever becomes of the variable afterwards.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <tuple>
#include <vector>

using torch::Tensor;

torch::Device pick();
void show(const Tensor &t);

//===-- Copies that may be the tensor itself ---------------------------------===//

// 8192 x 8192 floats are 256 MiB.
void moved_to_a_device(torch::Device device) {
  auto x = torch::rand({8192, 8192}).to(device);
  auto y = x + 1; // expected-warning {{256 MiB while 'x' dies here; the in-place form '+='}} [tensor-out-of-place-op]
  show(y);
}

void by_cuda() {
  Tensor x = torch::rand({8192, 8192}).cuda();
  Tensor y = x.mul(0.5); // expected-warning {{'mul_'}} [tensor-out-of-place-op]
  show(y);
}

void one_after_the_other() {
  auto host = torch::rand({8192, 8192});
  auto x = host.to(pick()).contiguous().flatten();
  auto y = torch::relu(x); // expected-warning {{'relu_'}} [tensor-out-of-place-op]
  show(y);
}

void unnamed() {
  auto y = torch::rand({8192, 8192}).to(pick()) + 1; // expected-warning {{the temporary}} [tensor-out-of-place-op]
  show(y);
}

// Where it is on the device already, the copy is the tensor: its owner reads it again.
void its_owner_reads_it() {
  auto host = torch::rand({8192, 8192});
  auto x = host.to(pick());
  auto y = x + 1;
  show(y);
  show(host);
}

// clone() never gives the tensor itself.
void a_copy_for_certain() {
  auto host = torch::rand({8192, 8192});
  auto x = host.clone();
  auto y = x + 1; // expected-warning {{'x' dies here}} [tensor-out-of-place-op]
  show(y);
  show(host);
}

//===-- What functions in view return ----------------------------------------===//

static Tensor load(torch::Device device) {
  Tensor t = torch::rand({8192, 8192});
  return t.to(device);
}
static Tensor cached() {
  static Tensor only = torch::rand({8192, 8192});
  return only;
}
static Tensor same(Tensor t) { return t; }

void made_by_a_function() {
  auto x = load(pick());
  auto y = x + 1; // expected-warning {{'x' dies here}} [tensor-out-of-place-op]
  show(y);
}

void kept_by_the_function() {
  auto x = cached();
  auto y = x + 1;
  show(y);
}

void given_back_by_the_function() {
  auto x = torch::rand({8192, 8192});
  auto s = same(x);
  auto y = s + 1;
  show(y);
  show(x);
}

//===-- After the op ---------------------------------------------------------===//

Tensor returned_afterwards() {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({8192, 8192});
  x = x * 0.5; // expected-warning {{256 MiB}} [tensor-out-of-place-op] expected-fix {{*=}}
  return x;
}

std::vector<Tensor> kept_afterwards() {
  auto x = torch::rand({8192, 8192});
  x = x * 0.5; // expected-warning {{256 MiB}} [tensor-out-of-place-op] expected-fix {{*=}}
  std::vector<Tensor> out;
  out.push_back(x);
  return out;
}

// The list has the values of before.
std::vector<Tensor> kept_before() {
  std::vector<Tensor> out;
  auto x = torch::rand({8192, 8192});
  out.push_back(x);
  x = x * 0.5;
  out.push_back(x);
  return out;
}

std::tuple<Tensor, Tensor> another_handle() {
  auto x = torch::rand({8192, 8192});
  auto before = x;
  x = x * 0.5;
  return {before, x};
}

// The other handle is not read any more.
Tensor a_handle_that_is_done() {
  auto x = torch::rand({8192, 8192});
  auto view = x.view({64, 128, 8192});
  view.sum().item<float>();
  x = x * 0.5; // expected-warning {{256 MiB}} [tensor-out-of-place-op] expected-fix {{*=}}
  return x;
}

// What is not in view may keep a handle.
void shown_before() {
  auto x = torch::rand({8192, 8192});
  show(x);
  x = x * 0.5;
  show(x);
}

void read_on_one_path(bool both) {
  auto x = torch::rand({8192, 8192});
  auto y = x + 1;
  if (both)
    show(x);
  show(y);
}

void read_in_the_next_round() {
  auto x = torch::rand({8192, 8192});
  for (int i = 0; i < 3; ++i) {
    auto y = x + 1;
    show(y);
  }
}

void changed_by_swap() {
  Tensor before;
  auto x = torch::rand({8192, 8192});
  std::swap(before, x);
  x = torch::rand({8192, 8192});
  auto y = before + 1; // expected-warning {{'before + 1' makes a second tensor of 256 MiB}} [tensor-out-of-place-op]
  show(y);
  show(x);
}

void swapped_with_itself() {
  auto x = torch::rand({8192, 8192});
  auto same = x;
  std::swap(x, same);
  auto y = x + 1;
  show(y);
  show(same);
}

// The graph of `product` needs the old values.
void needed_by_a_graph() {
  auto weight = torch::rand({8192, 8192}, torch::requires_grad());
  auto x = torch::rand({8192, 8192});
  auto product = weight * x;
  x = x + 1;
  product.sum().backward();
  show(x);
}

// A handler may be next after any of the calls.
void read_by_a_handler() {
  auto x = torch::rand({8192, 8192}), z = torch::rand({8192, 8192});
  try {
    auto y = x + 1;
    show(y);
  } catch (const std::exception &) {
    show(x);
  }
  z = z * 2; // expected-warning {{'z' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
  show(z);
}

// Its memory is looked at without it.
void looked_at_through_a_pointer() {
  auto x = torch::rand({8192, 8192}), z = torch::rand({8192, 8192});
  const float *first = x.data_ptr<float>();
  float second = z.data_ptr<float>()[1];
  auto y = x + 1;
  auto w = z + second; // expected-warning {{'z' dies here}} [tensor-out-of-place-op]
  float third = *first;
  show(y);
  show(w + third); // expected-warning {{the in-place form}} [tensor-out-of-place-op]
}

void looked_at_by_another_tensor() {
  auto x = torch::rand({8192, 8192});
  auto seen = torch::from_blob(x.data_ptr<float>(), {8192, 8192});
  auto y = x + 1;
  show(y);
  show(seen);
}

// The same through a second name; and a second name that nothing looks through.
void looked_at_through_a_reference() {
  auto x = torch::rand({8192, 8192});
  auto &same = x;
  auto cells = same.accessor<float, 2>();
  auto y = same + 1;
  show(y);
  if (cells[0][0] > 0)
    show(y);
}

void a_reference_that_is_a_name_only() {
  auto x = torch::rand({8192, 8192});
  auto &same = x;
  auto y = same + 1; // expected-warning {{'x' dies here}} [tensor-out-of-place-op]
  show(y);
}

// The layer has the very memory.
void set_as_data(torch::nn::Linear layer) {
  auto x = torch::rand({8192, 8192});
  layer->weight.set_data(x);
  x = x + 1;
  show(x);
}

//===-- Where in-place would be something else -------------------------------===//

// Both operands see the same memory, in another order.
void with_its_own_view() {
  auto x = torch::rand({8192, 8192});
  auto y = x + x.t();
  show(y);
}

void with_itself() {
  auto x = torch::rand({8192, 8192});
  auto y = x + x; // expected-warning {{'x' dies here}} [tensor-out-of-place-op]
  show(y);
}

// Each row is the same memory.
void overlaps_itself() {
  auto x = torch::rand({1, 8192}).expand({8192, 8192});
  auto y = x + 1;
  show(y);
}

// `x -= 1` is something else; 'x += 1' is not.
void number_first(float one) {
  torch::NoGradGuard no_grad;
  auto x = torch::rand({8192, 8192});
  x = one - x;
  x = 1 + x; // expected-warning {{'+='}} [tensor-out-of-place-op]
  show(x);
}

void negated() {
  auto x = torch::rand({8192, 8192});
  auto y = -x; // expected-warning {{the in-place form 'neg_'}} [tensor-out-of-place-op]
  show(y);
}

//===-- Parameters -----------------------------------------------------------===//

struct Cloud {
  Tensor points;
  double resolution;
};

static void temporaries_only(Tensor t) {
  torch::NoGradGuard no_grad;
  auto u = t + 1; // expected-warning {{256 MiB while 't' dies here}} [tensor-out-of-place-op]
  show(u);
}
static void moved_only(Cloud cloud) {
  torch::NoGradGuard no_grad;
  auto points = std::move(cloud.points);
  points = points / cloud.resolution; // expected-warning {{256 MiB}} [tensor-out-of-place-op] expected-fix {{/=}}
  show(points);
}
static void copied(Cloud cloud) {
  torch::NoGradGuard no_grad;
  auto points = std::move(cloud.points); // of the copy
  points = points / cloud.resolution;
  show(points);
}
static void handed_on(Tensor t) { temporaries_only(std::move(t)); }
static void one_keeps(Tensor t) {
  torch::NoGradGuard no_grad;
  auto u = t + 1;
  show(u);
}
static void called_from_outside(Tensor t) {
  torch::NoGradGuard no_grad;
  auto u = t + 1;
  show(u);
}
// Another file may call it with a tensor that it keeps.
void of_all_files(Tensor t) {
  torch::NoGradGuard no_grad;
  auto u = t + 1; // expected-note {{'t' dies here}} [tensor-out-of-place-op]
  show(u);
}

void run(void (*callback)(Tensor));

void callers() {
  temporaries_only(torch::rand({8192, 8192}).to(pick()));
  handed_on(torch::rand({8192, 8192}));
  Cloud cloud{torch::rand({8192, 8192}), 0.25};
  moved_only(std::move(cloud));
  Cloud kept{torch::rand({8192, 8192}), 0.25};
  copied(kept);
  copied(kept);
  auto mine = torch::rand({8192, 8192});
  one_keeps(mine);
  one_keeps(torch::rand({8192, 8192}));
  show(mine);
  called_from_outside(torch::rand({8192, 8192}));
  run(called_from_outside);
  of_all_files(torch::rand({8192, 8192}));
}

// The only entry of a map, and one of a map that somebody else fills.
void an_entry_of_a_map() {
  std::map<int, torch::Tensor> table;
  table.emplace(0, torch::rand({8192, 8192}));
  auto y = table.at(0) + 1; // expected-warning {{'table' dies here}} [tensor-out-of-place-op]
  show(y);
}

void an_entry_that_may_be_there() {
  std::map<int, torch::Tensor> table;
  auto kept = torch::rand({8192, 8192});
  table.emplace(0, kept);
  table.emplace(0, torch::rand({8192, 8192}));
  auto y = table.at(0) + 1;
  show(y);
  show(kept);
}
