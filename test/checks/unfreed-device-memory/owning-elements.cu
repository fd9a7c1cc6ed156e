// Elements whose own destructors give back what they hold end with the array or the container.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <vector>

// Without a destructor, nothing gives it back.
struct Plain {
  float *data = nullptr;
  void alloc(int n) { cudaMalloc(&data, n); } // expected-note {{the class has no destructor}} [tensor-unfreed-device-memory] expected-path {{it is allocated here}} expected-path {{it is allocated here}}
};
void plain_elements(int count, int n) {
  std::vector<Plain> all(count);
  Plain some[4];
  for (int i = 0; i < count; ++i)
    all[i].alloc(n); // expected-warning {{'all' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 4; ++i)
    some[i].alloc(n); // expected-warning {{'some' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
}

// Pointers that an exception leaves in a container, which frees nothing.
void thrown_pointers(int count, int n) {
  std::vector<float *> all(count);
  for (int i = 0; i < count; ++i)
    cudaMalloc(&all[i], n); // expected-warning {{in 'all[]' is not given back when this function throws}} [tensor-unfreed-device-memory] expected-path {{'all[]' gets device memory here}}
  if (n > 5)
    throw n; // expected-path {{this way out leaves it behind}}
  for (float *each : all)
    cudaFree(each); // expected-path {{others are freed here}}
}

//===-- Near misses -------------------------------------------------------===//

template <class T> class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&from) : data(from.data) { from.data = nullptr; }
  ~Buffer() { free(); }
  void alloc(int n) {
    free();
    cudaMalloc((void **)&data, n * sizeof(T));
  }
  void append(int n) { cudaMalloc((void **)&data, n * sizeof(T)); }
  T *get() const { return data; }

private:
  void free() {
    if (data)
      cudaFree(data);
    data = nullptr;
  }
  T *data = nullptr;
};
void use(float *data);

void owning_elements(int count, int n) {
  for (int round = 0; round < 3; ++round) {
    std::vector<Buffer<float>> all(count);
    Buffer<float> some[4];
    std::map<int, Buffer<float>> named;
    for (int i = 0; i < count; ++i) {
      all[i].alloc(n);
      some[i % 4].alloc(n);
      named[i].alloc(n);
    }
    use(all[0].get());
  }
}

// An exception ends them, too.
void thrown_past(int count, int n) {
  Buffer<float> one;
  std::vector<Buffer<float>> all(count);
  one.alloc(n);
  all[0].alloc(n);
  if (n > 5)
    throw n;
  use(one.get());
  use(all[0].get());
}

// A reference that keeps a temporary alive.
std::vector<Buffer<float>> made(int count);
void kept_by_a_reference(int count, int n) {
  std::vector<Buffer<float>> &&all = made(count);
  all[0].alloc(n);
  use(all[0].get());
}
