// A pointer in an optional, a unique_ptr, a pair or a tuple is held as in a variable.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

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
