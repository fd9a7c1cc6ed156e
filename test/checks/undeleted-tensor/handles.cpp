// A C API whose operators return new tensors, and its near misses.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

extern "C" {
typedef void *handle;

// Assigned over by `a = b + c` of the language that calls this, nested in `a + b * c`.
handle tensor_add(const handle a, const handle b) {
  auto x = reinterpret_cast<Tensor *const>(a);
  auto y = reinterpret_cast<Tensor *const>(b);
  Tensor *output = nullptr;
  output = new Tensor; // expected-note {{the handle that 'tensor_add' returns is all that keeps a tensor it computes: a result that is overwritten, or nested in another call, is never freed; write to a handle that the caller passes, or give every result to 'tensor_delete'}} [tensor-undeleted-tensor]
  *output = *x + *y;
  return output;
}

handle tensor_negative(const handle a) {
  return new Tensor(-*static_cast<Tensor *>(a)); // expected-path {{and the one that 'tensor_negative' returns}}
}

// Typed handles are no different.
struct Opaque;
Opaque *tensor_gradient(Opaque *of) {
  auto *gradient = new Tensor(reinterpret_cast<Tensor *>(of)->grad()); // expected-path {{'tensor_gradient' returns}}
  return reinterpret_cast<Opaque *>(gradient);
}

void tensor_delete(handle a) { delete reinterpret_cast<Tensor *>(a); }

//===-- Near misses -------------------------------------------------------===//

// Factories: whoever calls one wants its result.
handle tensor_zeros(int64_t size) { return new Tensor(torch::zeros({size})); }
handle tensor_zeros_like(handle like) {
  return new Tensor(torch::zeros_like(*reinterpret_cast<Tensor *>(like)));
}
handle tensor_from_blob(void *data, int64_t size) {
  return new Tensor(torch::from_blob(data, {size}));
}

// One more handle of the same tensor, made to be owned.
handle tensor_share(handle a) { return new Tensor(*reinterpret_cast<Tensor *>(a)); }

// Written where the caller says.
void tensor_add_to(handle out, const handle a, const handle b) {
  *reinterpret_cast<Tensor *>(out) =
      *reinterpret_cast<Tensor *>(a) + *reinterpret_cast<Tensor *>(b);
}
int tensor_add_out(handle *out, const handle a) {
  *out = new Tensor(*reinterpret_cast<Tensor *>(a) + 1);
  return 0;
}

// The prediction of a model.
handle model_run(handle model, handle input) {
  auto &net = *reinterpret_cast<torch::nn::Linear *>(model);
  return new Tensor(net->forward(*reinterpret_cast<Tensor *>(input)));
}

// The owner is in view.
handle tensor_double(handle a) { return new Tensor(*reinterpret_cast<Tensor *>(a) * 2); }
void doubled(handle a) {
  handle twice = tensor_double(a);
  tensor_delete(twice);
}

// No tensor behind the pointer it is given.
handle tensor_of_number(double *number) { return new Tensor(torch::ones({2}) * *number); }
}

// C++ has owners for what it returns.
Tensor *added(Tensor *a, Tensor *b) { return new Tensor(*a + *b); }

//===-- Handles that functions of the file make, lend and take back ---------------===//

using Impl = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

void *lend(torch::Tensor t) {
  return t.unsafeReleaseTensorImpl(); // expected-path {{it is allocated here}}
}
void takeBack(void *handle) { Impl::reclaim(static_cast<c10::TensorImpl *>(handle)); }
int64_t countOf(void *handle) {
  return torch::Tensor(Impl::reclaim_copy(static_cast<c10::TensorImpl *>(handle))).numel();
}
int64_t countAndTake(void *handle) {
  return torch::Tensor(Impl::reclaim(static_cast<c10::TensorImpl *>(handle))).numel();
}

bool lent_on_most_ways(const torch::Tensor &t) {
  void *handle = lend(t.clone()); // expected-warning {{the released tensor in 'handle' is not deleted on every path}} [tensor-undeleted-tensor]
  if (countOf(handle) > 3)
    return false; // expected-path {{this way out leaves it behind}}
  takeBack(handle);
  return true;
}

bool taken_back(const torch::Tensor &t) {
  void *handle = lend(t.clone());
  const bool isSmall = countOf(handle) <= 3;
  takeBack(handle);
  return isSmall;
}

bool taken_by_who_counts(const torch::Tensor &t) {
  void *handle = lend(t.clone());
  return countAndTake(handle) <= 3;
}
