// Behind the body of a destructor those of the members run, also where it is empty.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

struct Buffer {
  float *data = nullptr;
  void alloc(int n) { cudaMalloc(&data, n); }
  ~Buffer() { cudaFree(data); }
};

struct Stage {
  Buffer buffer;
  explicit Stage(int n) { buffer.alloc(n); }
  ~Stage() {}
};

void runs(int n) { Stage stage(n); }

struct Base {
  Buffer buffer;
  explicit Base(int n) { buffer.alloc(n); }
  virtual ~Base() {}
};

struct Derived : Base {
  explicit Derived(int n) : Base(n) {}
  ~Derived() override {}
};

void runs_derived(int n) { Derived derived(n); }

template <typename T> class Owner {
public:
  void reset(T *next = nullptr) {
    T *old = data;
    data = next;
    if (old)
      cudaFree(old);
  }
  ~Owner() { reset(); }

private:
  T *data = nullptr;
};

template <typename T> struct Tensor {
  Owner<T> owner;
  explicit Tensor(int n) {
    T *data = nullptr;
    cudaMalloc(&data, n);
    owner.reset(data);
  }
  virtual ~Tensor() {}
};

void runs_template(int n) { Tensor<float> tensor(n); }

// What lies beside is nobody's.
struct Beside {
  Buffer buffer;
  float *other = nullptr;
  explicit Beside(int n) {
    buffer.alloc(n);
    cudaMalloc(&other, n); // expected-note {{'other' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  }
  ~Beside() {} // expected-path {{'~Beside' is here}}
};

void runs_beside(int n) { Beside beside(n); }

// A member without a destructor frees nothing.
struct Plain {
  float *data = nullptr;
};

struct Holds {
  Plain plain;
  explicit Holds(int n) { cudaMalloc(&plain.data, n); } // expected-note {{'plain.data' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory] expected-path {{it is allocated here}}
  ~Holds() {} // expected-path {{'~Holds' is here}}
};

void runs_holds(int n) {
  Holds holds(n); // expected-warning {{'holds' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
}
