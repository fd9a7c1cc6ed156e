// What a getter returns is a second name of what its object has: it can be given back by that.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>

struct Span {
  float *begin;
  int size;
};

struct Holder {
  explicit Holder(float *from) : data(from) {}
  float *get() const { return data; }
  Span span() const { return {data, 1}; }
  float *release() {
    float *old = data;
    data = nullptr;
    return old;
  }
  float *replace(float *by) { return std::exchange(data, by); }
  float *data;
};

float *data_of(const Holder &holder) { return holder.data; }
float *data_at(const Holder *holder) { return holder->data; }

//===-- Given back by another name ------------------------------------------------------===//

void by_a_getter(int n) {
  float *made;
  cudaMalloc(&made, n);
  Holder holder(made);
  cudaFree(holder.get());
}

void by_a_pointer(int n) {
  float *made;
  cudaMalloc(&made, n);
  Holder holder(made);
  Holder *other = &holder;
  float *name = other->get();
  cudaFree(name);
}

void by_functions(int n) {
  float *first, *second;
  cudaMalloc(&first, n);
  cudaMalloc(&second, n);
  Holder a(first), b(second);
  cudaFree(data_of(a));
  cudaFree(data_at(&b));
}

void by_parts(int n) {
  float *first, *second, *third;
  cudaMalloc(&first, n);
  cudaMalloc(&second, n);
  cudaMalloc(&third, n);
  Holder a(first), b(second), c(third);
  Span span = a.span();
  cudaFree(span.begin);
  cudaFree(b.span().begin);
  auto [begin, size] = c.span();
  cudaFree(begin);
}

void by_release(int n) {
  float *made;
  cudaMalloc(&made, n);
  Holder holder(made);
  cudaFree(holder.release());
}

void by_replacement(int n) {
  float *made;
  cudaMalloc(&made, n);
  Holder holder(made);
  cudaFree(holder.replace(nullptr));
}

//===-- Only used by that name ----------------------------------------------------------===//

void used(int n) {
  float *made;
  cudaMalloc(&made, n); // expected-warning {{device memory in 'made' is not given back}} [tensor-unfreed-device-memory]
  Holder holder(made);
  cudaMemset(holder.get(), 0, n);
} // expected-fix {{cudaFree(made);}}

void used_in_part(int n) {
  float *made;
  cudaMalloc(&made, n); // expected-warning {{device memory in 'made' is not given back}} [tensor-unfreed-device-memory]
  Holder holder(made);
  Span span = holder.span();
  cudaMemset(span.begin, 0, n);
} // expected-fix {{cudaFree(made);}}

void released_to_nobody(int n) {
  float *made;
  cudaMalloc(&made, n); // expected-warning {{device memory in 'made' is not given back}} [tensor-unfreed-device-memory]
  Holder holder(made);
  holder.release();
} // expected-fix {{cudaFree(made);}}

// The getter's callers are all here, and give nothing back.
class Cache {
public:
  void fill(int n) {
    cudaFree(block_);
    block_ = nullptr;
    cudaMalloc(&block_, n); // expected-warning {{device memory in 'block_' is never given back}} [tensor-unfreed-device-memory]
  }
  float *block() const { return block_; }

private:
  float *block_ = nullptr;
};

void use(Cache &cache) { cudaMemset(cache.block(), 0, 4); }

//===-- A reference in an object names what others own -----------------------------------===//

class Queue {
public:
  ~Queue() {
    for (int i = 0; i < used_; ++i)
      cudaEventDestroy(events_[i]);
  }
  cudaEvent_t begin() {
    cudaEvent_t event;
    cudaEventCreate(&event); // expected-path {{it is allocated here}}
    return event;
  }
  void end(cudaEvent_t event) { events_[used_++] = event; }

private:
  cudaEvent_t events_[64];
  int used_ = 0;
};

class Scope {
public:
  explicit Scope(Queue &queue) : queue_(queue), event_(queue.begin()) {}
  ~Scope() { queue_.end(event_); }

private:
  Queue &queue_;
  cudaEvent_t event_;
};

void measure() {
  Queue queue;
  for (int i = 0; i < 8; ++i) {
    Scope scope(queue);
    cudaDeviceSynchronize();
  }
}

class ForgetfulScope {
public:
  explicit ForgetfulScope(Queue &queue) : queue_(queue), event_(queue.begin()) {} // expected-warning {{an event in 'event_' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  ~ForgetfulScope() { cudaEventRecord(event_); } // expected-path {{'~ForgetfulScope' is here}}

private:
  Queue &queue_;
  cudaEvent_t event_;
};
