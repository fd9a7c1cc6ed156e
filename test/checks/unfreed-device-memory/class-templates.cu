// Classes made from a template: a method that nothing calls has no body of its own, and the
// template's says whether it could give the member back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>

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

// Nobody but a friend can give it back there.
void releaseAll(void *object);
template <typename T> class HandsItselfOn {
public:
  void allocate(int n) { cudaMalloc(&data, n); } // expected-note {{'data' is never given back: the class has no destructor}} [tensor-unfreed-device-memory]
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

//===-- Which only other files make -------------------------------------------===//

template <typename T, int Blocks = 4> class Unmade {
public:
  explicit Unmade(int n) {
    cudaMalloc(&values, n * sizeof(T));
    cudaMalloc(&keys, n * Blocks); // expected-warning {{'keys' is never given back; '~Unmade' frees 'values' and forgets it}} [tensor-unfreed-device-memory]
  }
  ~Unmade() { cudaFree(values); } // expected-path {{'~Unmade' is here}}

private:
  T *values;
  int *keys;
};

template <typename T> class Outside {
public:
  void fill(int n);
  ~Outside();

private:
  T *values, *others;
};
template <typename T> void Outside<T>::fill(int n) {
  cudaMalloc(&values, n); // expected-note {{taken anew by each call of 'fill'}} [tensor-unfreed-device-memory]
  cudaMalloc(&others, n); // expected-warning {{'~Outside' frees 'values' and forgets it}} [tensor-unfreed-device-memory]
}
template <typename T> Outside<T>::~Outside() { cudaFree(values); } // expected-path {{'~Outside' is here}}

template <typename T, int Size> void never_freed(const T *from) {
  T *data;
  cudaMalloc(&data, Size * sizeof(T)); // expected-warning {{'data' is not given back}} [tensor-unfreed-device-memory]
  cudaMemcpy(data, from, Size * sizeof(T), cudaMemcpyHostToDevice);
}

// Near misses: nothing is lost, or the template cannot be made of what is at hand.

template <typename T> class UnmadeWithRelease {
public:
  explicit UnmadeWithRelease(int n) { cudaMalloc(&values, n * sizeof(T)); }
  ~UnmadeWithRelease() { cudaFree(values); }

private:
  T *values;
};

template <typename T, int Size> void freed(const T *from) {
  T *data;
  cudaMalloc(&data, Size * sizeof(T));
  cudaMemcpy(data, from, Size * sizeof(T), cudaMemcpyHostToDevice);
  cudaFree(data);
}

template <typename Traits> class NeedsMore {
public:
  explicit NeedsMore(int n) {
    cudaMalloc(&values, n);
    cudaMalloc(&others, n);
  }
  ~NeedsMore() {
    cudaFree(values);
    Traits::release(others);
  }

private:
  typename Traits::value_type *values;
  int *others;
};

template <typename Deleter> class DependsOnAnother {
public:
  explicit DependsOnAnother(int n) {
    cudaMalloc(&values, n);
    cudaMalloc(&others, n);
  }
  ~DependsOnAnother() {
    cudaFree(values);
    Deleter::release(others);
  }

private:
  int *values, *others;
};

template <typename... Ts> void many(Ts *...all) { (cudaMalloc(&all, 16), ...); }
template <template <typename> class C> void of_template(C<float> &c) {
  cudaMalloc(&c.data, 16);
}

//===-- Deleters that only a smart pointer makes ----------------------------===//

template <typename T> struct Freeing {
  void operator()(T *p) const { cudaFree(p); }
};
struct FreeingAny {
  template <typename T> void operator()(T *p) const { cudaFree(p); }
};
namespace device {
template <typename T> void give(T *p) { cudaFree(p); }
} // namespace device
template <typename T> struct FreeingByWrapper {
  void operator()(T *p) const { device::give(p); }
};
template <typename T> struct Leaving {
  void operator()(T *) const {}
};
template <typename T> class Cells {
public:
  void drop() {
    cells_.release(); // expected-warning {{device memory that this call returns is dropped, so that nothing can give it back; keep it, and call 'cudaFree'}} [tensor-unfreed-device-memory]
    others_.release(); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
    last_.release();  // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
    views_.release();
  }
  void move() { cudaFree(cells_.release()); }

private:
  std::unique_ptr<T, Freeing<T>> cells_;
  std::unique_ptr<T, FreeingAny> others_;
  std::unique_ptr<T, FreeingByWrapper<T>> last_;
  std::unique_ptr<T, Leaving<T>> views_;
};
void drop(Cells<float> &cells) {
  cells.drop();
  cells.move();
}
