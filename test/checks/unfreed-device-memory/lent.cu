// Objects that own what they are given only where a flag says so.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

//===-- Views, which leave the duty where it was ---------------------------------===//

class Tensor {
public:
  Tensor(float *data, int size, bool owner) : data_(data), size_(size), owner_(owner) {}
  Tensor(Tensor &&other) : data_(other.data_), size_(other.size_), owner_(other.owner_) {
    other.owner_ = false;
  }
  ~Tensor() {
    if (owner_)
      cudaFree(data_);
  }
  float *data() const { return data_; }

private:
  float *data_;
  int size_;
  bool owner_;
};

Tensor borrowed_by_mistake(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back before 'borrowed_by_mistake' returns}} [tensor-unfreed-device-memory]
  return Tensor(data, n, false);
}

Tensor owned(int n) {
  float *data;
  cudaMalloc(&data, n);
  return Tensor(data, n, true);
}

Tensor owned_perhaps(int n, bool owner) {
  float *data;
  cudaMalloc(&data, n);
  return Tensor(data, n, owner);
}

void local_view(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back before 'local_view' returns}} [tensor-unfreed-device-memory]
  Tensor view(data, n, false);
  cudaMemset(view.data(), 0, n);
} // expected-fix {{cudaFree(data);}}

void local_view_and_free(int n) {
  float *data;
  cudaMalloc(&data, n);
  Tensor view(data, n, false);
  cudaFree(data);
}

//===-- The other way round, by a default, and by a method -----------------------------===//

class Span {
public:
  Span(void *begin, bool borrowed = true) : begin_(begin), borrowed_(borrowed) {}
  ~Span() { close(); }
  void close() {
    if (borrowed_ || !begin_)
      return;
    cudaFreeHost(begin_);
    begin_ = nullptr;
  }

private:
  void *begin_;
  bool borrowed_;
};

void by_default(int n) {
  void *begin;
  cudaMallocHost(&begin, n); // expected-warning {{pinned host memory in 'begin' is not given back before 'by_default' returns}} [tensor-unfreed-device-memory]
  Span span(begin);
} // expected-fix {{cudaFreeHost(begin);}}

void not_borrowed(int n) {
  void *begin;
  cudaMallocHost(&begin, n);
  Span span(begin, false);
}

//===-- Near misses: who owns it may change --------------------------------------------===//

class Adoptable {
public:
  explicit Adoptable(void *p) : p_(p), owner_(false) {}
  ~Adoptable() {
    if (owner_)
      cudaFree(p_);
  }
  void adopt() { owner_ = true; }

private:
  void *p_;
  bool owner_;
};

void adopted(int n) {
  void *p;
  cudaMalloc(&p, n);
  Adoptable object(p);
  object.adopt();
}

struct Handle {
  Handle(cudaStream_t stream, bool owner) : stream(stream), owner(owner) {}
  ~Handle() {
    if (owner)
      cudaStreamDestroy(stream);
  }
  cudaStream_t stream;
  bool owner;
};

Handle open_stream() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  return Handle(stream, false);
}

void closed_by_hand() {
  Handle handle = open_stream();
  cudaStreamDestroy(handle.stream);
}

class Always {
public:
  Always(void *p, bool synced) : p_(p), synced_(synced) {}
  ~Always() {
    if (!synced_)
      cudaDeviceSynchronize();
    cudaFree(p_);
  }

private:
  void *p_;
  bool synced_;
};

void always_freed(int n) {
  void *p;
  cudaMalloc(&p, n);
  Always object(p, false);
}

void give_back(void *p);

class ByAnother { // also where the flag is not set
public:
  ByAnother(void *p, bool owner) : p_(p), owner_(owner) {}
  ~ByAnother() {
    if (owner_)
      cudaFree(p_);
  }
  void close() { give_back(p_); }

private:
  void *p_;
  bool owner_;
};

void closed_by_another(int n) {
  void *p;
  cudaMalloc(&p, n);
  ByAnother object(p, false);
  object.close();
}
