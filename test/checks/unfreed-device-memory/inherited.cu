// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Members that a class inherits and fills.
#include <cuda_runtime.h>
#include <cufft.h>

//===-- Neither class gives it back -------------------------------------------===//

class Transform {
public:
  virtual int outputs() const { return size / 2 + 1; }

protected:
  Transform() : plan(0), size(0) {}
  cufftHandle plan;
  int size;
};

class Complex : public Transform {
public:
  explicit Complex(int n) {
    size = n;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1); // expected-warning {{a cuFFT plan in 'plan' is never given back: the class has no destructor}} [tensor-unfreed-device-memory]
  }
  int outputs() const override { return size; }
};

class Buffer {
protected:
  float *data = nullptr;
  float *other = nullptr;
};

class Filled : public Buffer {
public:
  explicit Filled(int n) {
    cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is never given back; '~Filled' frees 'other' and forgets it}} [tensor-unfreed-device-memory]
    cudaMalloc(&other, n);
  }
  ~Filled() { cudaFree(other); } // expected-path {{'~Filled' is here}}
};

//===-- One of them does, or may ------------------------------------------------===//

class Cleans {
public:
  ~Cleans() { cudaFree(data); }

protected:
  float *data = nullptr;
};

class OfCleans : public Cleans {
public:
  explicit OfCleans(int n) { cudaMalloc(&data, n); }
};

class Keeps {
protected:
  float *data = nullptr;
};

class CleansItself : public Keeps {
public:
  explicit CleansItself(int n) { cudaMalloc(&data, n); }
  ~CleansItself() { cudaFree(data); }
};

class Elsewhere {
public:
  ~Elsewhere();

protected:
  float *data = nullptr;
};

class OfElsewhere : public Elsewhere {
public:
  explicit OfElsewhere(int n) { cudaMalloc(&data, n); }
};

class Held {
protected:
  float *data = nullptr;
};

class HeldByUnseen : public Held {
public:
  explicit HeldByUnseen(int n) { cudaMalloc(&data, n); }
  ~HeldByUnseen();
};
