// A pointer that gets another value while something else gets its old one: `std::exchange`, a
// swap with a variable, and the same written out.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>

__global__ void kernel(float *, int);

//===-- std::exchange --------------------------------------------------------===//

void the_old_one_is_freed(int n) {
  float *held = nullptr;
  for (int i = 1; i < n; ++i) {
    float *next;
    cudaMalloc(&next, 4 * i);
    cudaFree(std::exchange(held, next));
  }
  cudaFree(held);
}

void the_old_one_has_a_name(int n) {
  float *held = nullptr;
  for (int i = 1; i < n; ++i) {
    float *next;
    cudaMalloc(&next, 4 * i);
    float *old = std::exchange(held, next);
    cudaFree(old);
  }
  cudaFree(held);
}

void the_old_one_is_dropped(int n) {
  float *held = nullptr;
  for (int i = 1; i < n; ++i) {
    float *next;
    cudaMalloc(&next, 4 * i); // expected-warning {{'held' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    std::exchange(held, next); // expected-path {{it is overwritten here}}
  }
  cudaFree(held);
}

void is_moved_to_another(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  b = std::exchange(a, nullptr);
  cudaFree(b);
}

void is_forgotten_by_another(int n) {
  float *a, *b;
  cudaMalloc(&a, n); // expected-warning {{'b' is not given back}} [tensor-unfreed-device-memory]
  b = std::exchange(a, nullptr);
  cudaFree(a); // expected-path {{others are freed here}}
}

void in_one_of_two_ways(int n, bool mine) {
  float *a, *other = nullptr;
  cudaMalloc(&a, n);
  float *b = mine ? std::exchange(a, nullptr) : other;
  cudaFree(b);
  cudaFree(a);
}

float *is_returned(int n) {
  float *a;
  cudaMalloc(&a, n);
  return std::exchange(a, nullptr);
}

// The members move; the destructor asks each of them.
class Moves {
public:
  explicit Moves(int n) {
    cudaMalloc(&data, n);
    cudaStreamCreate(&stream);
  }
  Moves(Moves &&from) noexcept
      : data(std::exchange(from.data, nullptr)), stream(std::exchange(from.stream, nullptr)) {}
  Moves &operator=(Moves &&from) noexcept {
    float *old = std::exchange(data, std::exchange(from.data, nullptr));
    cudaFree(old);
    cudaStreamDestroy(std::exchange(stream, std::exchange(from.stream, nullptr)));
    return *this;
  }
  ~Moves() {
    if (stream)
      cudaStreamDestroy(stream);
    if (data)
      cudaFree(data);
  }

private:
  float *data;
  cudaStream_t stream;
};

class MovesHalf {
public:
  explicit MovesHalf(int n) {
    cudaMalloc(&data, n); // expected-path {{'data' gets it here}}
    cudaStreamCreate(&stream);
  }
  MovesHalf(MovesHalf &&from) noexcept
      : data(std::exchange(from.data, nullptr)), stream(std::exchange(from.stream, nullptr)) {}
  MovesHalf &operator=(MovesHalf &&from) noexcept {
    if (this != &from) {
      if (stream)
        cudaStreamDestroy(stream);
      data = std::exchange(from.data, nullptr); // expected-warning {{device memory that 'data' held is lost here}} [tensor-unfreed-device-memory]
      stream = std::exchange(from.stream, nullptr);
    }
    return *this;
  }
  ~MovesHalf() {
    if (stream)
      cudaStreamDestroy(stream);
    if (data)
      cudaFree(data);
  }

private:
  float *data;
  cudaStream_t stream;
};

//===-- A larger one takes its place ------------------------------------------===//

struct Buffer {
  float *data = nullptr;
  int capacity = 0;
};

void grow_by_swap(Buffer &b, int need) {
  if (need <= b.capacity)
    return;
  float *larger;
  cudaMalloc(&larger, need);
  std::swap(b.data, larger);
  cudaFree(larger);
  b.capacity = need;
}

void grow_by_swap_and_forget(Buffer &b, int need) {
  if (need <= b.capacity)
    return;
  float *larger;
  cudaMalloc(&larger, need); // expected-warning {{'b.data' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
  std::swap(b.data, larger);
  b.capacity = need;
}

void grow_by_name(Buffer &b, int need) {
  if (need <= b.capacity)
    return;
  float *larger;
  cudaMalloc(&larger, need);
  float *old = b.data;
  b.data = larger;
  cudaFree(old);
  b.capacity = need;
}

void grow_by_name_and_forget(Buffer &b, int need) {
  if (need <= b.capacity)
    return;
  float *larger;
  cudaMalloc(&larger, need); // expected-warning {{'b.data' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
  float *old = b.data;
  b.data = larger;
  kernel<<<1, 1>>>(old, b.capacity);
  b.capacity = need;
}

void grown(const int *sizes, int n) {
  Buffer b;
  for (int i = 0; i < n; ++i) {
    grow_by_swap(b, sizes[i]);
    grow_by_swap_and_forget(b, sizes[i]);
    grow_by_name(b, sizes[i]);
    grow_by_name_and_forget(b, sizes[i]);
  }
  cudaFree(b.data);
}
