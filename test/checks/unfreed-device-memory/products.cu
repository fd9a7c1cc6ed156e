// Classes with an operator `*` of two operands: `a * b` makes a new one; it is no `*a`.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class Matrix {
public:
  explicit Matrix(int n) : n_(n) { cudaMalloc(&data_, n); }
  Matrix(Matrix &&from) noexcept : n_(from.n_), data_(from.data_) { from.data_ = nullptr; }
  Matrix &operator=(Matrix &&from) noexcept {
    if (this != &from) {
      cudaFree(data_);
      data_ = from.data_;
      from.data_ = nullptr;
    }
    return *this;
  }
  ~Matrix() { cudaFree(data_); }
  int size() const { return n_; }

private:
  int n_;
  float *data_ = nullptr;
};
inline Matrix operator*(const Matrix &a, const Matrix &b) {
  Matrix product(a.size() + b.size());
  return product;
}
Matrix power(const Matrix &a, Matrix x, int n) {
  for (int i = 0; i < n; ++i) {
    Matrix product = a * x;
    x = product * x;
  }
  return x;
}

class Leaky {
public:
  explicit Leaky(int n) : n_(n) { cudaMalloc(&data_, n); } // expected-note {{the class has no destructor}} [tensor-unfreed-device-memory] expected-path {{it is allocated here}}
  int size() const { return n_; }
  float *data_ = nullptr;

private:
  int n_;
};
inline Leaky operator*(const Leaky &a, const Leaky &b) {
  Leaky product(a.size() + b.size());
  return product;
}
void multiplied(const Leaky &a, const Leaky &x) {
  Leaky product = a * x; // expected-warning {{'product' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
}
