// Classes made from a template: a method that nothing calls has no body of its own, and the
// template's says whether it could give the member back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

template <typename T> class Buffer {
public:
  void allocate(int n) { cudaMalloc(&data, n); } // expected-warning {{'data' is never given back: the class has no destructor}} [tensor-unfreed-device-memory]
  int size() const { return count; }
  void resize(int n) { count = n; }

private:
  T *data;
  int count;
};
void fill(Buffer<float> &b) { b.allocate(16); }

// Near misses: another file may call these.
template <typename T> class WithRelease {
public:
  void allocate(int n) { cudaMalloc(&data, n); }
  void release() { cudaFree(data); }

private:
  T *data;
};
void fill(WithRelease<float> &b) { b.allocate(16); }

void releaseAll(void *object);
template <typename T> class HandsItselfOn {
public:
  void allocate(int n) { cudaMalloc(&data, n); }
  void release() { releaseAll(this); }

private:
  T *data;
};
void fill(HandsItselfOn<float> &b) { b.allocate(16); }

template <typename T> class WithDestructor {
public:
  void allocate(int n) { cudaMalloc(&data, n); }
  ~WithDestructor();

private:
  T *data;
};
void fill(WithDestructor<float> &b) { b.allocate(16); }

template <typename T> struct Base {
  T *data;
  void freeAll() { cudaFree(data); }
};
template <typename T> class Derived : public Base<T> {
public:
  void allocate(int n) { cudaMalloc(&this->data, n); }
  void release() { this->freeAll(); }
};
void fill(Derived<float> &b) { b.allocate(16); }
