// Places that change places, as the buffers of a simulation do: what is allocated stays as much.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <utility>

__global__ void step(float *from, float *to);

//===-- Written out -------------------------------------------------------===//

void one_is_forgotten(int n) {
  float *from, *to;
  cudaMalloc(&from, n);
  cudaMalloc(&to, n); // expected-warning {{'to' is not given back before 'one_is_forgotten' returns}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 10; ++i) {
    step<<<1, 1>>>(from, to);
    float *helper = from;
    from = to;
    to = helper;
  }
  cudaFree(from); // expected-path {{others are freed here}}
}

void both_are_freed(int n) {
  float *from, *to, *helper;
  cudaMalloc(&from, n);
  cudaMalloc(&to, n);
  for (int i = 0; i < 10; ++i) {
    helper = from;
    from = to;
    to = helper;
  }
  cudaFree(from);
  cudaFree(to);
}

void freed_as_helper(int n) {
  float *from, *to, *helper = nullptr;
  cudaMalloc(&from, n);
  cudaMalloc(&to, n);
  helper = from;
  from = to;
  to = helper;
  cudaFree(from);
  cudaFree(helper);
}

void one_of_three_is_forgotten(int n) {
  float *a, *b, *c;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  cudaMalloc(&c, n); // expected-warning {{'c' is not given back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 10; ++i) {
    float *helper = a;
    a = b;
    b = c;
    c = helper;
  }
  cudaFree(a); // expected-path {{others are freed here}}
  cudaFree(b);
}

void is_no_rotation(int n) {
  float *a, *b;
  cudaMalloc(&a, n); // expected-warning {{'a' is overwritten before it is given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&b, n);
  a = b; // expected-path {{it is overwritten here}}
  b = nullptr;
  cudaFree(a);
}

//===-- std::swap ---------------------------------------------------------===//

void swapped(int n) {
  float *from, *to;
  cudaMalloc(&from, n);
  cudaMalloc(&to, n); // expected-warning {{'to' is not given back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 10; ++i) {
    step<<<1, 1>>>(from, to);
    std::swap(from, to);
  }
  cudaFree(from); // expected-path {{others are freed here}}
}

void swapped_now_and_then(int n) {
  float *from, *to;
  cudaMalloc(&from, n);
  cudaMalloc(&to, n);
  for (int i = 0; i < n; ++i)
    if (i % 2)
      std::swap(from, to);
  cudaFree(from);
  cudaFree(to);
}

void with_nothing(int n) {
  float *full, *empty = nullptr;
  cudaMalloc(&full, n);
  std::swap(full, empty);
  cudaFree(empty);
}

void with_what_only_some_ways_have(int n, bool two) {
  float *from, *to = nullptr;
  cudaMalloc(&from, n);
  if (two)
    cudaMalloc(&to, n);
  if (two)
    std::swap(from, to);
  cudaFree(from);
  if (two)
    cudaFree(to);
}

void the_best_so_far(int n) {
  float *best = nullptr;
  for (int i = 0; i < n; ++i) {
    float *candidate;
    cudaMalloc(&candidate, n);
    std::swap(best, candidate);
    if (candidate)
      cudaFree(candidate);
  }
  cudaFree(best);
}

void with_the_callers(float *&kept, int n) {
  float *made;
  cudaMalloc(&made, n);
  std::swap(kept, made);
  cudaFree(made);
}

//===-- In a callee -------------------------------------------------------===//

struct Fields {
  float *now, *next;
};
void turn(Fields *f) {
  float *helper = f->now;
  f->now = f->next;
  f->next = helper;
}

void turned(int n) {
  Fields f;
  cudaMalloc(&f.now, n);
  cudaMalloc(&f.next, n); // expected-warning {{'f.next' is not given back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < n; ++i)
    turn(&f);
  cudaFree(f.now); // expected-path {{others are freed here}}
}

void turned_and_freed(int n) {
  Fields f;
  cudaMalloc(&f.now, n);
  cudaMalloc(&f.next, n);
  for (int i = 0; i < n; ++i)
    turn(&f);
  cudaFree(f.now);
  cudaFree(f.next);
}

//===-- Members -----------------------------------------------------------===//

class Heat {
public:
  explicit Heat(int n) {
    cudaMalloc(&now_, n);
    cudaMalloc(&next_, n); // expected-warning {{'~Heat' frees 'now_' and forgets it}} [tensor-unfreed-device-memory]
  }
  void advance() {
    step<<<1, 1>>>(now_, next_);
    float *helper = now_;
    now_ = next_;
    next_ = helper;
  }
  ~Heat() { cudaFree(now_); } // expected-path {{'~Heat' is here}}

private:
  float *now_, *next_;
};

void simulate() {
  Heat heat(64);
  for (int i = 0; i < 100; ++i)
    heat.advance();
}

// What is loaded is in the other member when the destructor runs.
class Loader {
public:
  void load(int n) { cudaMalloc(&next_, n); }
  void show() {
    cudaFree(now_);
    now_ = nullptr;
    std::swap(now_, next_);
  }
  ~Loader() { cudaFree(now_); }

private:
  float *now_ = nullptr, *next_ = nullptr;
};

// The old block moves on before the new one takes its place.
struct Two {
  float *front, *back;
};
void turn(Two *two, int n) {
  cudaFree(two->back);
  two->back = two->front;
  cudaMalloc(&two->front, n);
}
void turns(Two *two, int n) {
  turn(two, n);
  turn(two, n);
}
