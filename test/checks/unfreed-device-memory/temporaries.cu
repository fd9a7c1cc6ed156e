// What a call returns is handed to another one that only uses it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

float *make(size_t n) {
  float *p = nullptr;
  cudaMalloc(&p, n * sizeof(float)); // expected-path {{it is allocated here}} expected-path {{it is allocated here}} expected-path {{it is allocated here}} expected-path {{it is allocated here}}
  return p;
}
float *copied(const float *from, size_t n) {
  float *p = make(n);
  cudaMemcpy(p, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
  return p;
}
float first(const float *p) {
  float value = 0;
  cudaMemcpy(&value, p, sizeof(float), cudaMemcpyDeviceToHost);
  return value;
}
__global__ void fill(float *p);

float used_by_a_function() {
  return first(make(16)); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}
void nested(const float *a) {
  float *b = copied(copied(a, 16), 16); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
  cudaFree(b);
}
void used_by_the_library(float *to) {
  cudaMemcpy(to, make(16), 64, cudaMemcpyDeviceToDevice); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}
void used_by_a_kernel() {
  fill<<<1, 16>>>(make(16)); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

//===-- Near misses: the other call has it from then on ------------------------===//

float first_and_free(float *p) {
  float value = first(p);
  cudaFree(p);
  return value;
}
float freed_by_the_callee() { return first_and_free(make(16)); }

float *same(float *p) { return p; }
void returned_by_the_callee() {
  float *p = same(make(16));
  cudaFree(p);
}

class Holder {
public:
  explicit Holder(float *p) : p_(p) {}
  ~Holder() { cudaFree(p_); }
  Holder(const Holder &) = delete;
  void put(float *p) {
    cudaFree(p_);
    p_ = p;
  }

private:
  float *p_;
};
void kept_by_an_object() {
  Holder holder(make(16));
  holder.put(make(32));
}

std::vector<float *> all;
void keep(float *p) { all.push_back(p); }
void kept_in_a_list() { keep(make(16)); }
void empty_the_list() {
  for (float *p : all)
    cudaFree(p);
  all.clear();
}

void hand_on(float *p);
void handed_on() { hand_on(make(16)); }

struct Base {
  explicit Base(float *p) : p_(p) {}
  ~Base() { cudaFree(p_); }
  Base(const Base &) = delete;
  float *p_;
};
struct Derived : Base {
  explicit Derived(float *p) : Base(p) {}
};
struct Free {
  void operator()(float *p) const { cudaFree(p); }
};
void kept_by_a_base_and_by_owners() {
  Derived derived(make(1));
  std::shared_ptr<float> shared(make(1), Free());
  std::unique_ptr<float, Free> owner(make(1));
  owner.reset(make(2));
}

void consume(float *p) { cudaFree(p); }
void freed_later() {
  std::thread thread(consume, make(1));
  thread.join();
  auto bound = std::bind(consume, make(1));
  bound();
}

bool put(float **slot, float *p) {
  *slot = p;
  return true;
}
void put_into_a_slot() {
  float *slot = nullptr;
  put(&slot, make(2));
  cudaFree(slot);
}

struct Node {
  float *p;
  Node *next;
};
Node *head = nullptr;
void push(float *p) { head = new Node{p, head}; }
void kept_in_a_node() { push(make(4)); }
void called_by_name(std::function<void(float *)> sink) { sink(make(3)); }
