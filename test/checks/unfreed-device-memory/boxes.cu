// A pointer in an optional, a unique_ptr, a pair or a tuple is held as in a variable.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

struct Buffers {
  float *in, *out;
};
struct Owner {
  float *data;
  ~Owner() { cudaFree(data); }
};
void keep(Buffers *);

void in_an_optional(int n) {
  std::optional<float *> data = nullptr;
  cudaMalloc(&*data, n); // expected-warning {{'*data'}} [tensor-unfreed-device-memory]
}
void in_an_optional_freed(int n) {
  std::optional<float *> data = nullptr;
  cudaMalloc(&data.value(), n);
  cudaFree(*data);
}
bool put_into_an_optional(int n) {
  std::optional<float *> data;
  float *raw;
  cudaMalloc(&raw, n); // expected-warning [tensor-unfreed-device-memory]
  data = raw;
  return data.has_value();
}
void list_in_an_optional(int n) {
  std::optional<std::vector<float *>> all = std::vector<float *>();
  float *data;
  cudaMalloc(&data, n); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  all->push_back(data);
}
void list_in_an_optional_freed(int n) {
  std::optional<std::vector<float *>> all = std::vector<float *>();
  float *data;
  cudaMalloc(&data, n);
  all->push_back(data);
  for (float *each : *all)
    cudaFree(each);
}
void list_of_owners_in_an_optional(int n) {
  std::optional<std::vector<Owner>> all = std::vector<Owner>(1);
  cudaMalloc(&all->front().data, n);
}
void put_into_an_optional_freed(int n) {
  std::optional<float *> data;
  float *raw;
  cudaMalloc(&raw, n);
  data = raw;
  cudaFree(*data);
}

void behind_a_pointer(int n) {
  auto buffers = std::make_unique<Buffers>();
  cudaMalloc(&buffers->in, n);
  cudaMalloc(&buffers->out, n); // expected-warning {{out}} [tensor-unfreed-device-memory]
  cudaFree(buffers->in); // expected-path {{others are freed here}}
}
void behind_a_pointer_freed(int n) {
  auto buffers = std::make_unique<Buffers>();
  cudaMalloc(&buffers->in, n);
  cudaMalloc(&buffers->out, n);
  cudaFree((*buffers).in);
  cudaFree(buffers.get()->out);
}
void behind_a_pointer_given_away(int n) {
  auto buffers = std::make_unique<Buffers>();
  cudaMalloc(&buffers->in, n);
  keep(buffers.release());
}
std::unique_ptr<Buffers> behind_a_pointer_returned(int n) {
  auto buffers = std::make_unique<Buffers>();
  cudaMalloc(&buffers->in, n);
  auto same = std::move(buffers);
  return same;
}
void freed_by_the_caller(int n) {
  auto buffers = behind_a_pointer_returned(n);
  auto same = std::move(buffers);
  cudaFree(same->in);
}
// What has another name may be freed by that.
void behind_a_pointer_of_others(Buffers *given, int n) {
  std::unique_ptr<Buffers> buffers(given);
  cudaMalloc(&buffers->in, n);
  keep(given);
}
void freed_by_its_destructor(int n) {
  auto owner = std::make_unique<Owner>();
  cudaMalloc(&owner->data, n);
}

void in_a_pair(int n) {
  std::pair<float *, float *> both;
  cudaMalloc(&both.first, n);
  cudaMalloc(&std::get<1>(both), n); // expected-warning {{second}} [tensor-unfreed-device-memory]
  cudaFree(std::get<0>(both)); // expected-path {{others are freed here}}
}
void in_a_tuple(int n) {
  std::tuple<float *, int, float *> parts(nullptr, 0, nullptr);
  cudaMalloc(&std::get<0>(parts), n);
  cudaMalloc(&std::get<2>(parts), n); // expected-warning {{parts}} [tensor-unfreed-device-memory]
  cudaFree(std::get<0>(parts)); // expected-path {{others are freed here}}
}
std::tuple<float *, int> in_a_tuple_returned(int n) {
  float *data;
  cudaMalloc(&data, n);
  auto both = std::make_tuple(data, n);
  return both;
}

//===-- Conditions on what a box holds ------------------------------------===//

void leaves_under_the_opposite_of_both(int coils, int n) {
  std::optional<float *> extra = nullptr;
  if (coils > 1)
    cudaMalloc(&*extra, n);
  cudaMemset(*extra, 0, n);
  if (!(coils > 1 && *extra != nullptr))
    return;
  cudaFree(*extra);
}

void leaves_under_the_opposite_of_another(int coils, int n) {
  std::optional<float *> extra = nullptr;
  if (coils > 1)
    cudaMalloc(&*extra, n); // expected-warning {{'*extra' is not given back}} [tensor-unfreed-device-memory]
  cudaMemset(*extra, 0, n);
  if (!(coils > 2 && *extra != nullptr))
    return; // expected-path {{this way out leaves it behind}}
  cudaFree(*extra); // expected-path {{others are freed here}}
}

// What takes the box by reference may put anything into it.
void refill(std::tuple<float *, int> &box);
void may_be_another(int coils, int n) {
  std::tuple<float *, int> extra(nullptr, 0);
  if (coils > 1)
    cudaMalloc(&std::get<0>(extra), n);
  refill(extra);
  if (!(coils > 1 && std::get<0>(extra) != nullptr))
    return;
  cudaFree(std::get<0>(extra));
}

//===-- Structured bindings -----------------------------------------------===//

void by_binding(int n) {
  auto [data, bytes] = std::tuple<float *, int>(nullptr, n);
  cudaMalloc(&data, bytes);
  cudaFree(data);
}

void one_of_two_bindings(int n) {
  auto [data, other] = std::tuple<float *, float *>(nullptr, nullptr);
  cudaMalloc(&data, n);
  cudaMalloc(&other, n); // expected-warning {{'other' is not given back}} [tensor-unfreed-device-memory]
  cudaFree(data); // expected-path {{others are freed here}}
}
