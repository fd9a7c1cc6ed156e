// What a smart pointer or a function hands out, and nobody takes.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <vector>

struct Deleter {
  void operator()(float *p) const { cudaFree(p); }
};
using Owner = std::unique_ptr<float, Deleter>;

struct Buffer {
  explicit Buffer(size_t n) { cudaMalloc(&data, n); }
  ~Buffer() { cudaFree(data); }
  float *data;
};

float *make(size_t n) {
  float *p;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  return p;
}

void by_deleter(size_t n) {
  Owner owner(make(n));
  owner.release(); // expected-warning {{device memory that this call returns is dropped, so that nothing can give it back}} [tensor-unfreed-device-memory]
}

void by_destructor(size_t n) {
  auto buffer = std::make_unique<Buffer>(n);
  buffer.release(); // expected-warning {{an object that owns device resources that this call returns is dropped}} [tensor-unfreed-device-memory]
}

void by_function(size_t n) {
  make(n); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

class Holder {
public:
  void clear() {
    buffer.release(); // expected-warning {{that this call returns is dropped}} [tensor-unfreed-device-memory]
  }
  void reset() { buffer.reset(); }

private:
  std::unique_ptr<Buffer> buffer;
};

class Replaces {
public:
  void take_over(size_t n) {
    Owner next(make(n));
    if (current)
      current.release(); // expected-warning {{that this call returns is dropped}} [tensor-unfreed-device-memory]
    current = std::move(next);
  }

private:
  Owner current;
};

void in_a_loop(size_t n) {
  for (size_t i = 0; i < n; ++i)
    make(n); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

//===-- Near misses ---------------------------------------------------------===//

void taken_under_a_condition(std::vector<float *> &all, Owner owner) {
  if (owner)
    all.push_back(owner.release());
  else
    all.push_back(nullptr);
}

void taken(size_t n, std::vector<Buffer *> &all) {
  auto buffer = std::make_unique<Buffer>(n);
  all.push_back(buffer.release());
}

void got_before(size_t n, std::vector<Buffer *> &all) {
  auto buffer = std::make_unique<Buffer>(n);
  all.push_back(buffer.get());
  buffer.release();
}

float *returned(size_t n) {
  Owner owner(make(n));
  return owner.release();
}

void freed(size_t n) {
  Owner owner(make(n));
  cudaFree(owner.release());
}

struct Plain {
  float *data;
};

void nothing_of_the_device() {
  auto plain = std::make_unique<Plain>();
  plain.release(); // host memory is other tools' business
}
